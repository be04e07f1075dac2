// specs/conformance/phone.json, a test a case.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Exact, readCalls, readJson, resultOf, writeJson } from "handset-client";
import { loop, source, text } from "./cases.js";

// Read with every number exact, as a case may turn on it.
const { cases } = readJson(source("phone"));

let count = 0;
for (const entry of cases) {
  const { name, expect } = entry;
  if ("call" in entry || "arguments" in entry) {
    const given = "call" in entry ? writeJson(entry.call) : entry.arguments;
    test(name, () => {
      const verdicts = readCalls(given);
      const expected = "calls" in expect ? expect.calls : [expect];
      assert.equal(verdicts.length, expected.length);
      for (const [index, verdict] of verdicts.entries()) same(verdict, expected[index]);
      // As it is parsed already, it says the same.
      if ("call" in entry) same(readCalls(entry.call)[0], expected[0]);
    });
  } else if ("answer" in entry) {
    test(name, () => {
      const { text: key, message } = expect.result;
      const said = message === undefined ? "" : `\n\n${text("phone", "says", { message })}`;
      assert.equal(resultOf(entry.answer), text("phone", key) + said);
    });
  } else {
    // What is offered is the server's to decide; a client hears `unavailable`.
    continue;
  }
  count++;
}

test("the number of cases is told", () => {
  console.log(`conformance: ${count} phone cases, each a test of its own`);
  assert.ok(count > 0);
});

function same(verdict, expect) {
  if (expect.ok) {
    assert.equal(verdict.refusal?.text, undefined);
    assert.deepEqual(plain(verdict.call), plain(expect.ok));
    // What JavaScript holds is exact, so writing it loses nothing.
    assert.deepEqual(plain(readJson(writeJson(verdict.call))), plain(expect.ok));
    return;
  }
  const { text: key, section = "phone", ...holes } = expect.refused;
  assert.equal(verdict.refusal?.key, key);
  if (section === "tools") {
    const [before, after] = text(section, key, { at: "\0" }).split("\0");
    assert.ok(verdict.refusal.text.startsWith(before) && verdict.refusal.text.endsWith(after ?? ""));
    return;
  }
  holes.what ??= loop.phone.what[holes.field];
  holes.actions ??= loop.phone.actions.join(", ");
  assert.equal(verdict.refusal.text, text(section, key, holes));
}

/** A value with its exact numbers as their digits, and its prototypes gone. */
function plain(value) {
  if (value instanceof Exact) return { exact: value.text };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([key, member]) => [key, plain(member)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
