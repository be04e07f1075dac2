// The reader beside ajv, compiled on a schema that accepts the same calls, in one run; ratios of medians.
//
//   npm run bench
//
// What is compared: the same calls, from a value that is parsed already, to a verdict. The equivalent schema (equivalent.js)
// judges as the reader does, and how often it agrees is printed. ajv stops at the first error (`allErrors` off) and gives
// yes or no. The reader does more in its time: it cleans every text of the call, makes the flat call that the phone gets,
// and says why not in a sentence of the spec's. Beside it stand two schemas that judge less: the lax one does not look at
// texts that are not checked, as no schema would that somebody writes by hand, and the easy one does not trim either.
//
// From text, the rival is JSON.parse and then ajv. The reader has besides to see that JSON.parse loses nothing: a number of
// many digits stays what it is.

import Ajv from "ajv";
import { readFileSync } from "node:fs";
import { readCalls } from "handset-client";
import { cases, loop } from "./cases.js";
import { easy, equivalent, lax } from "./equivalent.js";

const ROUNDS = 81;
const CALLS = 2000;

const rivals = {
  // A number beyond a float is refused; without this ajv takes it.
  ajv: new Ajv({ strict: false, strictNumbers: true, discriminator: true }).compile(equivalent(loop)),
  "ajv, lax": new Ajv({ strict: false, discriminator: true }).compile(lax(loop)),
  "ajv, easy": new Ajv({ strict: false, discriminator: true }).compile(easy(loop)),
};

// Calls as models make them; the cases of the suite that pass, of whose texts every sixth has something to clean; and, where
// HANDSET_RANDOM_CALLS names what `random-calls 2000 7 call` printed, those with which the compiled reader is measured too:
// hardly two have the same fields, and most are refused.
const sets = {
  "ordinary calls": readFileSync(new URL("../ordinary-calls.jsonl", import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean),
  "cases of the suite that pass": cases("phone").flatMap(({ call, expect }) =>
    call && expect.ok ? [JSON.stringify(call)] : [],
  ),
};
const path = process.env.HANDSET_RANDOM_CALLS;
if (path) {
  sets["random calls"] = readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).arguments)
    .filter(isJson);
}
for (const [name, calls] of Object.entries(sets)) contest(name, calls);

function contest(name, calls) {
  const lines = Array.from({ length: CALLS }, (_, index) => calls[index % calls.length]);
  const values = lines.map((line) => JSON.parse(line));

  // Both have to say the same of what both can say, or the ratio means nothing.
  const agrees = (judge) => values.filter((value) => judge(value) === Boolean(readCalls(value)[0].call)).length;
  const agreed = Object.entries(rivals).map(([rival, judge]) => `${rival} agrees on ${agrees(judge)}`);
  console.log(`\n${name}: of ${CALLS}, ${agreed.join("; ")}`);

  const contests = {
    "value: reader": () => count(values, (value) => readCalls(value)[0].call),
    "text: reader": () => count(lines, (line) => readCalls(line)[0].call),
  };
  for (const [rival, judge] of Object.entries(rivals)) {
    contests[`value: ${rival}`] = () => count(values, judge);
    contests[`text: ${rival}`] = () => count(lines, (line) => judge(JSON.parse(line)));
  }

  const times = Object.fromEntries(Object.keys(contests).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(contests)) {
      // The processor's time, so that what else the machine does counts for nobody.
      const start = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(start);
      // The first rounds are the engine's to warm up in.
      if (round >= 20) times[name].push(((user + system) * 1000) / CALLS);
    }
  }

  for (const from of ["value", "text"]) {
    const own = median(times[`${from}: reader`]);
    console.log(`${own.toFixed(0).padStart(6)} ns  from ${from}: reader`);
    for (const rival of Object.keys(rivals)) {
      const time = median(times[`${from}: ${rival}`]);
      const given = from === "text" ? "JSON.parse, then " : "";
      const ratio = (time / own).toFixed(2);
      console.log(
        `${time.toFixed(0).padStart(6)} ns  from ${from}: ${given}${rival}; the reader is ${ratio} times as fast`,
      );
    }
  }
}

function median(list) {
  return list.sort((a, b) => a - b)[list.length >> 1];
}

function count(list, passes) {
  let passed = 0;
  for (const each of list) if (passes(each)) passed++;
  return passed;
}

function isJson(text) {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
