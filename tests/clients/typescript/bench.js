// The reader beside ajv, compiled on a schema that accepts the same calls, in one run; ratios of medians.
//
//   npm run bench

import Ajv from "ajv";
import { readFileSync } from "node:fs";
import { readCalls } from "handset-client";
import { cases, loop } from "./cases.js";
import { schema } from "./equivalent.js";

const ROUNDS = 81;
const CALLS = 2000;

const validate = new Ajv({ strict: false, discriminator: true }).compile(schema(loop));

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
    .map((line) => JSON.parse(line).arguments);
}
for (const [name, calls] of Object.entries(sets)) contest(name, calls);

function contest(name, calls) {
  const lines = Array.from({ length: CALLS }, (_, index) => calls[index % calls.length]);
  const values = lines.map((line) => JSON.parse(line));

  // Both have to say the same of what both can say, or the ratio means nothing.
  const alike = calls.filter((call) => validate(JSON.parse(call)) === Boolean(readCalls(call)[0].call));
  console.log(`${name}: ${calls.length}; ajv agrees on ${alike.length}`);

  const contests = {
    "from text: reader": () => count(lines, (line) => readCalls(line)[0].call),
    "from text: JSON.parse and ajv": () => count(lines, (line) => validate(JSON.parse(line))),
    "from a value: reader": () => count(values, (value) => readCalls(value)[0].call),
    "from a value: ajv": () => count(values, validate),
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
  const ratio = (rival, own) => (nanoseconds[rival] / nanoseconds[own]).toFixed(2);
  console.log(`from text: ${ratio("from text: JSON.parse and ajv", "from text: reader")} times as fast as ajv`);
  console.log(`from a value: ${ratio("from a value: ajv", "from a value: reader")} times as fast as ajv`);
}

function median(list) {
  return list.sort((a, b) => a - b)[list.length >> 1];
}

function count(list, passes) {
  let passed = 0;
  for (const each of list) if (passes(each)) passed++;
  return passed;
}
