/**
 * What a microphone gives, at the rate that speech is recognised at: a stream, cut anywhere, gives the same samples.
 */

/** The rate of what comes out, in samples a second. */
export const RATE = 16_000;
/** How many of the slower rate's samples the filter reaches to each side: the stop band is then below -60 dB. */
const REACH = 16;
/** Where the filter begins to fall, as a part of the lower rate's half. */
const EDGE = 0.92;

export class Resampler {
  /** The filter, one row of taps for each place that an output may have between two inputs. @type {Float32Array[]} */
  #rows = [];
  /** @type {number} */
  #up;
  /** @type {number} */
  #down;
  /** How many inputs a row spans. */
  #taps;
  /** What is still reached by outputs to come. */
  #held = new Float32Array(0);
  /** Where the next output begins in what is held, counted in steps of 1/up inputs. */
  #at = 0;

  /** @param {number} from samples a second, a whole number */
  constructor(from) {
    const shared = divisor(from, RATE);
    this.#up = RATE / shared;
    this.#down = from / shared;
    // Both counted in inputs: the filter cuts at the lower of the two rates.
    const cut = Math.min(1, RATE / from) * EDGE;
    const reach = Math.ceil(REACH * Math.max(1, from / RATE));
    this.#taps = 2 * reach;
    for (let phase = 0; phase < this.#up; phase += 1) {
      const row = new Float32Array(this.#taps);
      let sum = 0;
      for (let tap = 0; tap < this.#taps; tap += 1) {
        const away = tap - reach + 1 - phase / this.#up;
        const value = sinc(away * cut) * (0.5 + 0.5 * Math.cos((Math.PI * away) / (reach + 1)));
        row[tap] = value;
        sum += value;
      }
      this.#rows.push(row.map((value) => value / sum));
    }
    // The first output stands at the first input: before it is silence.
    this.#held = new Float32Array(reach - 1);
  }

  /** @param {Float32Array} samples @returns {Float32Array} */
  push(samples) {
    const all = new Float32Array(this.#held.length + samples.length);
    all.set(this.#held);
    all.set(samples, this.#held.length);
    /** @type {number[]} */
    const made = [];
    for (;;) {
      const first = Math.floor(this.#at / this.#up);
      const row = this.#rows[this.#at % this.#up];
      if (!row || first + this.#taps > all.length) break;
      let sum = 0;
      for (let tap = 0; tap < this.#taps; tap += 1) sum += (row[tap] ?? 0) * (all[first + tap] ?? 0);
      made.push(sum);
      this.#at += this.#down;
    }
    const past = Math.min(all.length, Math.floor(this.#at / this.#up));
    this.#held = all.slice(past);
    this.#at -= past * this.#up;
    return Float32Array.from(made);
  }
}

/** @param {number} x */
function sinc(x) {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** @param {number} a @param {number} b @returns {number} */
function divisor(a, b) {
  return b === 0 ? a : divisor(b, a % b);
}
