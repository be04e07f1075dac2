/**
 * A microphone that is a file, voices to put into it, and an ear at what the page hears and plays.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const RATE = 16_000;

/** @param {number} seconds */
export function silence(seconds) {
  return new Float32Array(Math.round(seconds * RATE));
}

/** A voice as far as its sound goes: a hundred and forty strokes a second, louder and softer four times a second. */
export function hum(seconds, loud = 0.3) {
  return Float32Array.from({ length: Math.round(seconds * RATE) }, (_, at) => {
    const t = at / RATE;
    let sum = 0;
    for (let k = 1; k < 25; k += 1) sum += Math.sin(2 * Math.PI * 140 * k * t + k * k) / Math.sqrt(k);
    return (loud * sum * (0.6 + 0.4 * Math.sin(2 * Math.PI * 4 * t))) / 5;
  });
}

/** Noise that is the same each time. */
export function hiss(seconds, loud) {
  let seed = 1;
  return Float32Array.from({ length: Math.round(seconds * RATE) }, () => {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
    return loud * (seed / 2 ** 31 - 1);
  });
}

/** @param {...Float32Array} parts */
export function joined(...parts) {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Of a voice that reads aloud. @param {string} text @param {string} [voice] */
export function spoken(text, voice = "en") {
  const folder = mkdtempSync(join(tmpdir(), "handset-voice-"));
  try {
    const path = join(folder, "said.wav");
    execFileSync("espeak-ng", ["-v", voice, "-w", path, text]);
    const { samples, rate } = unwav(readFileSync(path));
    return resampled(samples, rate);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {Float32Array} samples @param {number} rate */
function resampled(samples, rate) {
  return Float32Array.from({ length: Math.floor((samples.length * RATE) / rate) }, (_, at) => {
    const place = (at * rate) / RATE;
    const [one, part] = [Math.floor(place), place % 1];
    return samples[one] * (1 - part) + (samples[one + 1] ?? 0) * part;
  });
}

/** @param {Float32Array} samples */
export function wav(samples, rate = RATE) {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  for (const [at, value, size] of [[16, 16, 4], [20, 1, 2], [22, 1, 2], [24, rate, 4], [28, rate * 2, 4], [32, 2, 2], [34, 16, 2]]) bytes.writeUIntLE(value, at, size);
  bytes.write("data", 36);
  bytes.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, at) => bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32767), 44 + at * 2));
  return bytes;
}

/** @param {Buffer} bytes */
export function unwav(bytes) {
  let [rate, samples] = [0, new Float32Array()];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [name, length] = [bytes.toString("latin1", at, at + 4), bytes.readUInt32LE(at + 4)];
    if (name === "fmt ") rate = bytes.readUInt32LE(at + 12);
    if (name === "data") {
      // A length that was not known when the head was written is longer than the file.
      const end = Math.min(bytes.length, at + 8 + length);
      samples = Float32Array.from({ length: Math.floor((end - at - 8) / 2) }, (_, n) => bytes.readInt16LE(at + 8 + n * 2) / 32768);
    }
    at += 8 + length + (length % 2);
  }
  return { rate, samples };
}

/** A microphone that gives a file, from its beginning each time it is opened, and then silence. */
export class Microphone {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "handset-microphone-"));
    this.path = join(this.folder, "microphone.wav");
    this.give(silence(1));
    this.args = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", `--use-file-for-fake-audio-capture=${this.path}%noloop`];
  }

  /** What it gives when it is opened next. @param {Float32Array} samples */
  give(samples) {
    writeFileSync(this.path, wav(samples));
  }

  end() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Listens from now on to what the page plays and to what its microphone gives: each sample of both, as levels every 3 ms. */
export async function listen(page) {
  await page.addInitScript(() => {
    const levels = [];
    Reflect.set(window, "levels", levels);
    const connect = AudioNode.prototype.connect;
    const ears = new WeakMap();
    const BLOCK = 128;
    const probes = (context) => {
      if (ears.has(context)) return ears.get(context);
      const made = [0, 1].map(() => new AnalyserNode(context, { fftSize: 32_768 }));
      const [played, microphone] = made.map((one) => new Float32Array(one.fftSize));
      // The blocks that are new since the last look; one look reaches back half a second and more.
      let seen = 0;
      const look = () => {
        const now = Math.floor((context.currentTime * context.sampleRate) / BLOCK);
        made[0].getFloatTimeDomainData(played);
        made[1].getFloatTimeDomainData(microphone);
        const fresh = Math.min(now - seen, Math.floor(played.length / BLOCK));
        seen = now;
        const rms = (samples, end) => Math.sqrt(samples.subarray(end - BLOCK, end).reduce((sum, sample) => sum + sample * sample, 0) / BLOCK);
        for (let block = fresh - 1; block >= 0; block -= 1) {
          const end = played.length - block * BLOCK;
          const at = ((now - block) * BLOCK) / context.sampleRate;
          levels.push([at, rms(played, end), rms(microphone, end), performance.timeOrigin + performance.now() - (context.currentTime - at) * 1000]);
        }
      };
      setInterval(look, 100);
      Reflect.set(window, "look", look);
      ears.set(context, made);
      return made;
    };
    AudioNode.prototype.connect = function (to, ...rest) {
      if (to instanceof AudioDestinationNode) connect.call(this, probes(this.context)[0]);
      return connect.call(this, to, ...rest);
    };
    const source = AudioContext.prototype.createMediaStreamSource;
    AudioContext.prototype.createMediaStreamSource = function (stream) {
      const made = source.call(this, stream);
      connect.call(made, probes(this)[1]);
      return made;
    };
  });
}

/** What was heard so far: moments in the audio's time in seconds, the levels of what was played and of the microphone, and the wall's time in milliseconds. @param {number} [since] of the wall's time */
export async function levels(page, since = 0) {
  const all = await page.evaluate((since) => {
    Reflect.get(window, "look")?.();
    return Reflect.get(window, "levels").filter(([, , , wall]) => wall >= since);
  }, since);
  return all.map(([at, played, microphone, wall]) => ({ at, played, microphone, wall }));
}

/** An endpoint of `/v1/audio/transcriptions` that is told what it will hear, and notes how much it did. */
export class Recogniser {
  /** What is being said. */
  words = "";
  /** How long each recording was that came, in seconds. @type {number[]} */
  heard = [];

  static async start() {
    const recogniser = new Recogniser();
    recogniser.server = createServer((request, response) => {
      const parts = [];
      request.on("data", (bytes) => parts.push(bytes));
      request.on("end", () => {
        const form = Buffer.concat(parts);
        const { samples, rate } = unwav(form.subarray(form.indexOf("RIFF")));
        recogniser.heard.push(samples.length / rate);
        response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ text: recogniser.words }));
      });
    });
    await new Promise((resolve) => recogniser.server.listen(0, "127.0.0.1", resolve));
    recogniser.config = `[voice.recogniser]\nkind = "openai"\nurl = "http://127.0.0.1:${recogniser.server.address().port}/v1"\nmodel = "scripted"\n`;
    return recogniser;
  }

  end() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
