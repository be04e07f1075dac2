// specs/conformance/markers.json, a test a case; and each reply cut everywhere.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MARKER_MAX_CHARS, MarkerScanner, harmless, readReply } from "handset-client";
import { cases } from "./cases.js";

const suite = cases("markers");

// What a reply may be made of.
const PIECES = [
  ..."⟪⟫《》【】[]()`: \n\t：",
  ..."⟪⟫[]",
  "```",
  "~~~",
  "\r\n",
  "dial",
  "DIAL",
  "拨号",
  "hangup",
  "dnd:on",
  "勿扰开",
  "[hangup]",
  "⟪dial:",
  "   ```\n",
  "😀",
  "\u212a",
  "x".repeat(MARKER_MAX_CHARS - 6),
];

for (const { name, reply, expect } of suite) {
  test(name, () => {
    assert.deepEqual(readReply(reply), expect);
    for (let cut = 0; cut <= reply.length; cut++) {
      const pieces = [reply.slice(0, cut), reply.slice(cut)];
      assert.deepEqual(inPieces(pieces), expect, `cut at ${cut}`);
    }
    assert.deepEqual(inPieces(reply.split("")), expect, "unit by unit");
  });
}

test("the number of cases is told", () => {
  console.log(`conformance: ${suite.length} marker cases, each a test of its own, cut everywhere`);
});

test("what others say is no marker, however it is repeated", () => {
  assert.equal(harmless("I [would] write ⟪dial: x⟫ or 《 DND：on 》."), "I [would] write (dial: x) or ( DND：on ).");
  assert.equal(harmless("`[hangup]` ⟪dial:[hangup]⟫ ⟪dial: to the end"), "`(hangup)` (dial:(hangup)) (dial: to the end");
  assert.equal(harmless("⟪dialling⟫ [hang up] ⟪ ⟫"), "⟪dialling⟫ [hang up] ⟪ ⟫");
  for (const said of [...suite.map(({ reply }) => reply), ...replies(5_000)]) {
    const told = harmless(said);
    assert.equal(harmless(told), told);
    const lines = told.split("\n").map((line) => line.trim());
    const unfenced = lines.filter((line) => !/```|~~~/.test(line));
    for (const repeated of [told, lines.join("\n"), unfenced.join("\n"), `\`\`\`\n${told}\n\`\`\`\n${told}`]) {
      assert.deepEqual(readReply(repeated).markers, [], JSON.stringify([said, repeated]));
    }
  }
});

/** So many random replies. */
function* replies(count) {
  let seed = 7;
  const random = (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (let round = 0; round < count; round++) {
    yield Array.from({ length: random(24) }, () => PIECES[random(PIECES.length)]).join("");
  }
}

test("random replies, cut at random, say the same as whole", () => {
  let seed = 11;
  const random = (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (const reply of replies(20_000)) {
    const cuts = Array.from({ length: random(6) }, () => random(reply.length + 1)).sort((a, b) => a - b);
    const cut = [0, ...cuts].map((from, index) => reply.slice(from, cuts[index] ?? reply.length));
    assert.deepEqual(inPieces(cut), readReply(reply), JSON.stringify(cut));
  }
});

test("time is linear in the length, and what is held is bounded", () => {
  const time = (count) => {
    const scanner = new MarkerScanner();
    const start = process.cpuUsage().user;
    for (let piece = 0; piece < count; piece++) scanner.push("⟪dial:a ");
    scanner.finish();
    return process.cpuUsage().user - start;
  };
  time(1000);
  const [short, long] = [time(2_000), time(64_000)];
  assert.ok(long < short * 32 * 8 + 100_000, `${short} µs, then ${long} µs for 32 times as much`);
});

function inPieces(pieces) {
  const scanner = new MarkerScanner();
  const reading = { text: "", markers: [] };
  const take = (events) => {
    for (const { text, marker } of events) {
      if (marker) reading.markers.push(marker);
      else reading.text += text;
    }
  };
  for (const piece of pieces) take(scanner.push(piece));
  take(scanner.finish());
  // The stream may have sent trailing blanks; the saved text has none.
  reading.text = reading.text.replace(/[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/, "");
  return reading;
}

test("a reply of nothing but openers is not read to the longest marker from each", () => {
  // What is ahead is looked for once: counted, for a clock would be wrong on a busy machine.
  const { exec } = RegExp.prototype;
  let looked = 0;
  RegExp.prototype.exec = function (text) {
    looked++;
    return exec.call(this, text);
  };
  const { fromCodePoint } = String;
  let read = 0;
  String.fromCodePoint = (code) => {
    read++;
    return fromCodePoint(code);
  };
  const openers = 2_000;
  try {
    const reply = "[dial:".repeat(openers);
    assert.deepEqual(readReply(`${reply}\n`), { text: reply, markers: [] });
    assert.deepEqual(readReply(`${reply}]`), { text: reply.slice(0, -6), markers: [{ kind: "dial", argument: "" }] });
  } finally {
    RegExp.prototype.exec = exec;
    String.fromCodePoint = fromCodePoint;
  }
  assert.ok(read + looked < 2 * openers * 20, `${read} characters read, ${looked} searches`);
});
