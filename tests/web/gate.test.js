/** What the page hears with: its gate, its resampler and its files, as they are, without a browser. */

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { hiss, hum, joined, silence, unwav } from "./voice.js";

// The page's files are modules for a browser, which has no file that says so.
const folder = mkdtempSync(join(tmpdir(), "handset-line-"));
cpSync(join(process.env["HANDSET_WEB"] ?? "", "line"), folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
after(() => rmSync(folder, { recursive: true }));
const load = (name) => import(pathToFileURL(join(folder, name)).href);
const [{ Gate }, { Resampler, RATE }, { wav }] = await Promise.all(["gate.js", "resample.js", "wav.js"].map(load));
const { languageOf, readingTime } = await load("own-voice.js");

/** What a gate tells of a sound, with the moments at which it does. */
function told(sound, { guarded = false, step = 77 } = {}) {
  const events = [];
  let at = 0;
  const gate = new Gate({
    began: () => events.push({ what: "began", at }),
    heard: (samples) => events.push({ what: "heard", at, samples, seconds: samples.length / RATE }),
    dropped: () => events.push({ what: "dropped", at }),
  }, RATE);
  gate.guarded = guarded;
  for (let from = 0; from < sound.length; from += step) {
    const part = sound.subarray(from, from + step);
    at += part.length / RATE;
    gate.push(part);
  }
  return events;
}

const over = (sound, noise) => sound.map((sample, at) => sample + noise[at]);
const words = (events) => events.map(({ what }) => what).join(" ");

test("a voice is found within 120 ms, and is over 650 ms after what is loud of it; what is kept begins 200 ms before", () => {
  for (const loud of [0.3, 0.1, 0.01]) {
    const events = told(joined(hiss(2, 0.001), hum(1.5, loud), hiss(2, 0.001)));
    assert.equal(words(events), "began heard", `${loud}`);
    const [began, heard] = events;
    assert.ok(began.at - 2 < 0.12, `${loud}: ${began.at - 2}`);
    assert.ok(heard.at - 3.5 > 0.5 && heard.at - 3.5 < 0.75, `${heard.at - 3.5}`);
    assert.ok(Math.abs(heard.seconds - (0.2 + 1.5 + 0.2)) < 0.15, `${heard.seconds}`);
  }
});

test("a voice that is there from the first moment is found", () => {
  assert.equal(words(told(joined(hum(1.5), hiss(2, 0.003)))), "began heard");
});

test("a breath within a sentence does not end it; a longer silence does", () => {
  assert.equal(words(told(joined(hiss(1, 0.002), hum(0.8), hiss(0.4, 0.002), hum(0.8), hiss(1, 0.002)))), "began heard");
  assert.equal(words(told(joined(hiss(1, 0.002), hum(0.8), hiss(1, 0.002), hum(0.8), hiss(1, 0.002)))), "began heard began heard");
});

test("silence, hiss, a fan that is switched on, the mains and clicks are no voice", () => {
  assert.equal(words(told(silence(5))), "");
  assert.equal(words(told(hiss(5, 0.01))), "");
  assert.equal(words(told(joined(hiss(2, 0.001), hiss(5, 0.1)))), "");
  assert.equal(words(told(Float32Array.from({ length: 5 * RATE }, (_, at) => 0.1 * Math.sin((2 * Math.PI * 50 * at) / RATE)))), "");
  const click = new Float32Array(160).fill(0.9);
  assert.equal(words(told(joined(hiss(1, 0.002), click, hiss(0.3, 0.002), click, hiss(1, 0.002)))), "");
});

test("what is shorter than 0.3 s is dropped", () => {
  assert.equal(words(told(joined(hiss(1, 0.002), hum(0.2), hiss(1, 0.002)))), "began dropped");
});

test("a fan that is switched on while somebody speaks does not keep the line open", () => {
  const [, heard] = told(joined(hiss(2, 0.001), hum(1.5), hiss(4, 0.05)));
  assert.ok(heard?.at < 5, `${heard?.at}`);
});

test("a noisy room is learnt, and a voice in it is found", () => {
  for (const noise of [0.005, 0.01, 0.02]) {
    const sound = over(joined(silence(2), hum(1.5), silence(1.5)), hiss(5, noise));
    assert.equal(words(told(sound)), "began heard", `${noise}`);
  }
});

test("while the companion's voice may come back, it takes more", () => {
  const quiet = joined(hiss(2, 0.01), over(hum(1, 0.08), hiss(1, 0.01)), hiss(1, 0.01));
  assert.equal(words(told(quiet)), "began heard");
  assert.equal(words(told(quiet, { guarded: true })), "");
  const [began] = told(joined(hiss(2, 0.003), hum(1.5), hiss(1, 0.003)), { guarded: true });
  assert.ok(began.at - 2 < 0.15, `${began.at - 2}`);
});

test("who never stops is heard in parts", () => {
  const events = told(joined(hiss(1, 0.001), hum(65), hiss(1, 0.001)));
  assert.ok(events.filter(({ what }) => what === "heard").length >= 2);
  const seconds = events.reduce((sum, { seconds = 0 }) => sum + seconds, 0);
  assert.ok(seconds > 60, `${seconds} s are kept`);
});

test("however the sound is cut, the same is heard; muted, what was being said counts", () => {
  const sound = joined(hiss(1, 0.002), hum(1), hiss(1, 0.002));
  const [one, other] = [told(sound, { step: 1000 }), told(sound, { step: 13 })].map((events) => events.find(({ what }) => what === "heard").samples);
  assert.deepEqual(one, other);
  let heard = 0;
  const gate = new Gate({ began: () => {}, heard: () => (heard += 1) }, RATE);
  gate.push(joined(hiss(1, 0.002), hum(1)));
  gate.end();
  assert.deepEqual([heard, gate.open], [1, false]);
});

test("a recorded sentence is one utterance, at any rate of the microphone", () => {
  const { rate, samples } = unwav(readFileSync(join(process.env["HANDSET_WEB"] ?? "", "../../tests/fixtures/audio/speech.wav")));
  assert.equal(rate, RATE);
  for (const noise of [0.0005, 0.005]) {
    const sound = over(joined(silence(1), samples, silence(1)), hiss(samples.length / RATE + 2, noise));
    const events = told(sound);
    assert.equal(words(events), "began heard");
    assert.ok(events[1].seconds > 1.3 && events[1].seconds < 2.1, `${events[1].seconds} of ${samples.length / RATE} s`);
  }
});

test("a tone keeps its pitch and its strength at 16 kHz; what 16 kHz cannot hold is taken out", () => {
  for (const from of [16_000, 22_050, 44_100, 48_000, 96_000]) {
    const tone = (pitch) => Float32Array.from({ length: from }, (_, at) => Math.sin((2 * Math.PI * pitch * at) / from));
    const made = whole(from, tone(1000), 131);
    assert.ok(Math.abs(made.length - RATE) <= 40, `${from}: ${made.length}`);
    const wrong = Math.max(...made.slice(200, -200).map((sample, at) => Math.abs(sample - Math.sin((2 * Math.PI * 1000 * (at + 200)) / RATE))));
    assert.ok(wrong < 1e-3, `${from}: ${wrong}`);
    assert.deepEqual(whole(from, tone(1000), 480), made);
    if (from > 22_050) {
      const left = Math.max(...whole(from, tone(10_500), 480).slice(200, -200).map(Math.abs));
      assert.ok(left < 1e-3, `${from}: ${left}`);
    }
  }
});

/** @returns {Float32Array} */
function whole(from, samples, step) {
  const resampler = new Resampler(from);
  const parts = [];
  for (let at = 0; at < samples.length; at += step) parts.push(resampler.push(samples.subarray(at, at + step)));
  return joined(...parts);
}

test("a file says what it is, and cuts off what is too loud", () => {
  const bytes = Buffer.from(wav(Float32Array.from([0, 0.5, -0.5, 2, -2]), RATE));
  assert.equal(bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 16), "RIFFWAVEfmt ");
  assert.deepEqual([bytes.readUInt32LE(4), bytes.readUInt32LE(40)], [bytes.length - 8, 10]);
  const { rate, samples } = unwav(bytes);
  assert.equal(rate, RATE);
  assert.deepEqual([...samples].map((sample) => Math.round(sample * 32768)), [0, 16384, -16383, 32767, -32767]);
});

test("a piece is said in the language of its letters, and read as long as it is", () => {
  const english = ["de-AT", "en"];
  for (const [text, tag] of [["Good night.", "de-AT"], ["晚安。", "zh-CN"], ["おやすみ、月。", "ja"], ["잘 자", "ko"], ["Спокойной", "ru"], ["3.14", "de-AT"]]) assert.equal(languageOf(text, english), tag, text);
  assert.equal(languageOf("晚安。", ["zh-TW", "en"]), "zh-TW");
  assert.equal(languageOf("Good night.", ["zh-CN"]), "en");
  // What the server knows goes before, in the person's own kind of it.
  assert.equal(languageOf("Gute Nacht.", english, "de"), "de-AT");
  assert.equal(languageOf("Dobrou noc.", english, "cs"), "cs");
  assert.equal(languageOf("東京。", english, "ja"), "ja");
  assert.equal(languageOf("晚安。", ["zh-TW", "en"], "zh"), "zh-TW");
  assert.ok(readingTime("晚安，做个好梦。") > readingTime("Good ni."));
  assert.ok(readingTime("Yes.") >= 900);
  assert.ok(readingTime("a".repeat(100)) > 5000);
});
