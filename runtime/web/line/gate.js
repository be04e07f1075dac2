/**
 * When somebody speaks: utterances in a stream of samples, by their level over the room's own noise, by how evenly their
 * spectrum is filled, and by how often they cross zero. It knows no browser.
 *
 * It opens after some 80 ms of a voice and closes after 650 ms without: a breath within a sentence is shorter. What is given out
 * begins a little before the voice did, since its first consonant is quieter than what opened the gate.
 */

import { SPAN, Spectrum } from "./spectrum.js";

/** How far apart two looks are, in milliseconds. */
const HOP_MS = 10;
const hops = (/** @type {number} */ ms) => Math.round(ms / HOP_MS);

/** How far over the noise a voice has to be that opens the gate, and one that keeps it open, in decibels. */
const [OPENS, KEEPS] = [10, 6];
/** How much more while the companion's own voice may come back from the room. */
const GUARDED = 5;
/** Nothing below this level is taken for a voice, in decibels below full scale. */
const LEAST = -56;
/** The noise is never thought to be outside of this. */
const [QUIETEST, LOUDEST] = [-80, -35];
/** How loud the noise is thought to be before any was heard. */
const AT_FIRST = -60;
/** Above this a spectrum is noise, and a wave that crosses zero this often a second a hiss. */
const [EVEN, CROSSES] = [0.42, 5200];
/** How many of the newest looks have to find a voice. */
const [OF, FOUND] = [hops(100), hops(70)];
const [OF_GUARDED, FOUND_GUARDED] = [hops(130), hops(100)];
/** How long a hiss within speech may be: longer is the room's. */
const HISS = hops(400);
const CLOSES = hops(650);
const BEFORE = hops(200);
const BEHIND = hops(200);
const SHORTEST = hops(300);
/** One utterance at most; who goes on speaking begins another. */
const LONGEST = hops(28_000);
/** How quickly the noise is believed to rise, in decibels a look: in silence, and beside a voice. */
const [RISES, RISES_SLOWLY] = [0.05, 0.004];
/** A room that was just entered is learnt at once: in its first looks, and this much quicker. */
const [NEW, QUICKER] = [hops(500), 10];

export class Gate {
  /** While the companion's voice is in the room. */
  guarded = false;
  #rate;
  #hop;
  #spectrum;
  /** The newest samples, as many as one look takes in. */
  #seen = new Float32Array(SPAN);
  /** What does not fill a look yet. */
  #rest = new Float32Array(0);
  /** The newest looks' samples: what an utterance begins with. @type {Float32Array[]} */
  #past = [];
  /** Whether each of the newest looks found a voice. @type {boolean[]} */
  #found = [];
  /** What is being said. @type {Float32Array[] | null} */
  #said = null;
  /** How many of its parts lie before the voice. */
  #before = 0;
  /** How many looks ago a voice was there last. */
  #quiet = 0;
  /** How many looks on end were evenly filled. */
  #even = 0;
  #noise = AT_FIRST;
  #looks = 0;

  /**
   * @param {{
   *   began: () => void,
   *   heard: (samples: Float32Array) => void,
   *   dropped?: () => void,
   * }} house `began` is told as soon as somebody speaks, then one of the others: what was said, or that it was too short to be anything
   * @param {number} rate samples a second
   */
  constructor(house, rate) {
    this.house = house;
    this.#rate = rate;
    this.#hop = Math.round((rate * HOP_MS) / 1000);
    this.#spectrum = new Spectrum(rate);
  }

  /** Whether somebody speaks. */
  get open() {
    return this.#said !== null;
  }

  /** @param {Float32Array} samples however many */
  push(samples) {
    const all = new Float32Array(this.#rest.length + samples.length);
    all.set(this.#rest);
    all.set(samples, this.#rest.length);
    let from = 0;
    for (; from + this.#hop <= all.length; from += this.#hop) this.#look(all.slice(from, from + this.#hop));
    this.#rest = all.slice(from);
  }

  /** Nothing more is coming: what was being said is what was said. */
  end() {
    if (this.#said) this.#close();
    this.#rest = new Float32Array(0);
    this.#past = [];
    this.#found = [];
    this.#seen.fill(0);
  }

  /** @param {Float32Array} part */
  #look(part) {
    this.#seen.copyWithin(0, part.length);
    this.#seen.set(part, SPAN - part.length);
    const { level, flatness } = this.#spectrum.look(this.#seen);
    const over = level - this.#noise;
    const even = flatness > EVEN;
    this.#even = even ? this.#even + 1 : 0;
    const needs = OPENS + (this.guarded ? GUARDED : 0);
    const voice = !even && over >= needs && level >= LEAST && crossings(part) * (1000 / HOP_MS) < CROSSES;
    if (this.#said) this.#goOn(part, over >= KEEPS && level >= LEAST && this.#even <= HISS);
    else this.#wait(part, voice);
    this.#listen(level, voice);
  }

  /** @param {Float32Array} part @param {boolean} voice */
  #wait(part, voice) {
    const [of, found] = this.guarded ? [OF_GUARDED, FOUND_GUARDED] : [OF, FOUND];
    this.#past.push(part);
    this.#found.push(voice);
    if (this.#past.length > BEFORE + of) this.#past.shift();
    while (this.#found.length > of) this.#found.shift();
    if (!voice || this.#found.filter(Boolean).length < found) return;
    this.#said = this.#past;
    this.#before = Math.max(0, this.#past.length - (this.#found.length - this.#found.indexOf(true)));
    this.#quiet = 0;
    this.#past = [];
    this.#found = [];
    this.house.began();
  }

  /** @param {Float32Array} part @param {boolean} voice */
  #goOn(part, voice) {
    const said = this.#said;
    if (!said) return;
    said.push(part);
    this.#quiet = voice ? 0 : this.#quiet + 1;
    if (this.#quiet >= CLOSES || said.length >= LONGEST) this.#close();
  }

  #close() {
    const said = this.#said ?? [];
    this.#said = null;
    const spoken = said.length - this.#before - this.#quiet;
    const kept = said.slice(0, said.length - Math.max(0, this.#quiet - BEHIND));
    // What follows at once may begin in the silence that ended this.
    this.#past = said.slice(kept.length).slice(-BEFORE);
    if (spoken < SHORTEST) return this.house.dropped?.();
    const whole = new Float32Array(kept.length * this.#hop);
    for (const [at, part] of kept.entries()) whole.set(part, at * this.#hop);
    this.house.heard(whole);
  }

  /** Learns the room's noise. @param {number} level @param {boolean} voice */
  #listen(level, voice) {
    const over = level - this.#noise;
    const slowly = voice || (this.#said !== null && this.#even <= HISS);
    if (over < 0) this.#noise += over * 0.1;
    else if (slowly) this.#noise += Math.min(over * 0.03, RISES_SLOWLY);
    else {
      const times = this.#looks < NEW ? QUICKER : 1;
      this.#noise += Math.min(over * 0.03 * times, RISES * times);
    }
    this.#looks += 1;
    this.#noise = Math.max(QUIETEST, Math.min(LOUDEST, this.#noise));
  }
}

/** How often the wave crosses zero. @param {Float32Array} part */
function crossings(part) {
  let count = 0;
  for (let at = 1; at < part.length; at += 1) if ((part[at] ?? 0) >= 0 !== (part[at - 1] ?? 0) >= 0) count += 1;
  return count;
}
