// The package as its folder has it: what is typed is there, and what is there is typed.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import * as client from "handset-client";

const folder = new URL("../../../generated/clients/typescript/src/", import.meta.url);

test("every name that is exported has its type, and every type its name", () => {
  const typed = new Set();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".d.ts"))) {
    const source = readFileSync(new URL(file, folder), "utf8");
    for (const [, name] of source.matchAll(/export declare (?:const|function|class) (\w+)/g)) typed.add(name);
  }
  assert.deepEqual([...typed].sort(), Object.keys(client).sort());
});

test("settings are clamped as the server clamps them", () => {
  const { DEFAULT_SETTINGS, SETTINGS, changeSettings, readSettings } = client;
  const own = { ...DEFAULT_SETTINGS };
  const { settings, clamped } = changeSettings(own, { call: { ring_interval: 0.5, extra_rings: 1e300 } });
  assert.equal(settings.call.ring_interval, 2);
  assert.equal(settings.call.extra_rings, 60);
  assert.deepEqual(clamped[0], { path: "call.ring_interval", given: 0.5, used: 2, min: 2, max: 60 });
  // The lower end comes down, unless the upper one alone was given.
  const low = changeSettings(own, { voice: { linger_min: 30 } });
  assert.deepEqual([low.settings.voice.linger_min, low.settings.voice.linger_max], [20, 20]);
  const high = changeSettings(own, { voice: { linger_max: 5 } });
  assert.deepEqual([high.settings.voice.linger_min, high.settings.voice.linger_max], [15, 15]);
  assert.deepEqual(changeSettings(own, { call: { rings: 1 } }).faults[0].path, "call.rings");
  assert.deepEqual(changeSettings(own, { escalation: { from: "25:00" } }).faults[0].path, "escalation.from");
  assert.equal(own.call.ring_interval, 2, "what was given is left alone");
  // What a newer server sends is kept out of the way and named.
  const read = readSettings({ call: { ring_interval: 100, new_knob: 1 }, new_section: {} });
  assert.equal(read.settings.call.ring_interval, 60);
  assert.deepEqual(read.ignored, ["call.new_knob", "new_section"]);
  for (const { key, knobs } of SETTINGS) {
    for (const knob of knobs) assert.equal(DEFAULT_SETTINGS[key][knob.key], knob.default);
  }
});

test("what a newer server sends is kept", () => {
  assert.ok(!client.isKnownEvent({ event: "weather", data: { rain: true } }));
  assert.ok(!client.isKnownCall({ action: "fold_laundry", summary: "Fold it" }));
  assert.ok(client.isKnownCall({ action: "alarm", summary: "", time: "07:30" }));
});

test("no depth is too deep, and a name of JavaScript's own is a name", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const [{ call }] = client.readCalls(`{"action":"alarm","time":"07:30","label":${deep}}`);
  assert.equal(client.writeJson(call), `{"action":"alarm","summary":"alarm","time":"07:30","label":${deep}}`);
  const strange = '{"__proto__":"x","constructor":"y"}';
  const [own] = client.readCalls(`{"action":"automation_intent","name":"n","values":${strange}}`);
  assert.equal(client.writeJson(own.call.values), strange);
});

test("numbers of any size are what the server makes of them", () => {
  const { DEFAULT_SETTINGS: own, changeSettings, readJson, readSettings } = client;
  for (const given of [readJson("99999999999999999999999"), readJson("99999999999999999999999.5"), 10n ** 22n, 1e306]) {
    for (const knob of ["ring_interval", "extra_rings"]) {
      const { settings, faults } = changeSettings(own, { call: { [knob]: given } });
      assert.deepEqual([settings?.call[knob], faults], [60, undefined], `${knob}: ${given}`);
    }
  }
  const { settings, clamped } = changeSettings(own, { call: { extra_rings: readJson("1e-400") } });
  assert.deepEqual([settings.call.extra_rings, clamped], [0, []]);
  const beyond = readJson("1e400");
  assert.deepEqual(readSettings({ call: { ring_interval: beyond } }).ignored, ["call.ring_interval"]);
  const fault = { path: "call.ring_interval", expected: "a number" };
  assert.deepEqual(changeSettings(own, { call: { ring_interval: beyond } }).faults, [fault]);
});

test("a value that stands in itself is refused, and a large integer is written", () => {
  const { readCalls, writeJson } = client;
  const cyclic = [1];
  cyclic.push({ again: cyclic, twice: [cyclic, cyclic] });
  assert.throws(() => writeJson(cyclic), TypeError);
  assert.throws(() => readCalls({ action: "alarm", time: "07:30", label: cyclic }), TypeError);
  const twice = [1];
  assert.equal(writeJson([twice, { b: twice }, 10n ** 30n, NaN]), `[[1],{"b":[1]},1${"0".repeat(30)},null]`);
});

test("nothing is cleaned twice, however deep it stands and in however many places", () => {
  const { readCalls, writeJson } = client;
  const label = `${'{"a":'.repeat(90)}" x "${"}".repeat(90)}`;
  const [{ call }] = readCalls(`{"action":"alarm","time":"07:30","label":${label}}`);
  assert.equal(JSON.stringify(call.label), label.replace(" x ", "x"));
  for (const wrap of [(value) => [value, value], (value) => ({ a: value, b: value }), (value) => [[value, value]]]) {
    let shared = wrap(" x ");
    for (let round = 0; round < 60; round++) shared = wrap(shared);
    const [read] = readCalls({ action: "alarm", time: "07:30", label: shared });
    for (const value of [shared, read.call]) assert.throws(() => writeJson(value), RangeError);
    let first = read.call.label;
    while (typeof first === "object") first = Object.values(first)[0];
    assert.equal(first, "x");
  }
  // What is long by itself, or by its texts, does not stand over and over.
  const long = Array.from({ length: 150_000 }, () => [1]);
  assert.equal(writeJson([long, long]).length, 2 * 150_000 * 4 + 5);
  const text = "x".repeat(1_000);
  assert.equal(writeJson([Array(10_000).fill(text), [], "end"]).length, 10_000 * 1_003 + 12);
});

test("what the listener throws when the stream opens is told, and a stream that breaks is taken up", async () => {
  const stream = (text) => new Response(new Blob([text]).stream(), { status: 200 });
  let opened = 0;
  const fetch = async () => {
    opened++;
    return stream('id: 1\nevent: weather\ndata: {"rain":true}\n\n');
  };
  const server = new client.Handset({ address: "http://localhost", fetch });
  const told = new TypeError("the listener's own");
  const onOpen = () => {
    throw told;
  };
  await assert.rejects(server.events({ onOpen }).next(), told);
  assert.equal(opened, 1);
  const { value } = await server.events({}).next();
  assert.deepEqual(value, { id: "1", event: "weather", data: { rain: true } });
});
