// The reader beside ajv, compiled on a schema that accepts the same calls, in one run; ratios of medians.
//
//   npm run bench

import Ajv from "ajv";
import { readFileSync } from "node:fs";
import { readCalls } from "handset-client";
import { cases, loop } from "./cases.js";
import { easy, equivalent } from "./equivalent.js";

const ROUNDS = 81;
const CALLS = 2000;

const ajv = new Ajv({ strict: false, discriminator: true });
const [validate, quick] = [equivalent(loop), easy(loop)].map((schema) => ajv.compile(schema));

// The calls with which the compiled reader is measured too: random ones, passing and failing (`random-calls 2000 7 call`);
// and those a model really makes: the cases of the suite that pass.
const sets = {
  "calls that pass": cases("phone").flatMap(({ call, expect }) => (call && expect.ok ? [JSON.stringify(call)] : [])),
};
const path = process.env.HANDSET_RANDOM_CALLS;
if (path) {
  sets["mixed calls"] = readFileSync(path, "utf8")
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
  console.log(
    `\n${name}: of ${CALLS} the equivalent schema agrees on ${agrees(validate)}, the easy on ${agrees(quick)}`,
  );

  const contests = {
    "from text: reader": () => count(lines, (line) => readCalls(line)[0].call),
    "from text: JSON.parse, then ajv": () => count(lines, (line) => validate(JSON.parse(line))),
    "from text: JSON.parse, then ajv, easy": () => count(lines, (line) => quick(JSON.parse(line))),
    "from a value: reader": () => count(values, (value) => readCalls(value)[0].call),
    "from a value: ajv": () => count(values, validate),
    "from a value: ajv, easy": () => count(values, quick),
  };

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

  const nanoseconds = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
  for (const [name, time] of Object.entries(nanoseconds)) console.log(`${time.toFixed(0).padStart(6)} ns  ${name}`);
  for (const given of ["text: JSON.parse, then ajv", "value: ajv"]) {
    const own = nanoseconds[`from a ${given.split(":")[0]}: reader`] ?? nanoseconds["from text: reader"];
    const rival = nanoseconds[`from a ${given}`] ?? nanoseconds[`from ${given}`];
    console.log(`from ${given.split(":")[0]}: ${(rival / own).toFixed(2)} times as fast as ajv`);
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
