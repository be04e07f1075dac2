// Random arguments, which the compiled reader has judged already: the same verdicts, byte for byte. The file comes from
// `random-calls`; HANDSET_RANDOM_CALLS names it, and .ci/run makes it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Exact, readCalls, readJson, writeJson } from "handset-client";

const path = process.env.HANDSET_RANDOM_CALLS;

test(
  "random arguments get the compiled reader's verdicts",
  { skip: !path && "HANDSET_RANDOM_CALLS is not set" },
  () => {
    const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
    for (const line of lines) {
      const { arguments: given, verdicts } = readJson(line);
      const read = readCalls(given);
      assert.equal(read.length, verdicts.length, given);
      for (const [index, { call, refusal }] of read.entries()) {
        const { ok, refused } = verdicts[index];
        assert.equal(refusal?.text, refused, given);
        // Written anew, the two are the same but for how a number is spelt and where a repeated key stands.
        if (ok) assert.equal(writeJson(sorted(readJson(writeJson(call)))), writeJson(sorted(ok)), given);
      }
    }
    console.log(`${lines.length} random arguments`);
  },
);

/** With the keys of every object in one order. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || value instanceof Exact) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
