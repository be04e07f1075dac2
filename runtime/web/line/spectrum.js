/**
 * What a moment of sound consists of, as far as it tells speech from noise.
 */

/** How many samples one look takes in: 32 ms at 16 kHz. */
export const SPAN = 512;
/** The band where speech is strong and hum, rumble and hiss are not, in hertz. */
const [LOW, HIGH] = [250, 3800];
/** Below what can be heard: silence has a level, too. */
const NOTHING = 1e-10;

export class Spectrum {
  #window = Float64Array.from({ length: SPAN }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / SPAN));
  #cos = Float64Array.from({ length: SPAN / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / SPAN));
  #sin = Float64Array.from({ length: SPAN / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / SPAN));
  #real = new Float64Array(SPAN);
  #imaginary = new Float64Array(SPAN);
  #first;
  #last;
  #scale;

  /** @param {number} rate samples a second */
  constructor(rate) {
    this.#first = Math.ceil((LOW * SPAN) / rate);
    this.#last = Math.floor((HIGH * SPAN) / rate);
    // Both halves of the spectrum, over the window's own strength: a level as the samples themselves have it.
    const strength = this.#window.reduce((sum, value) => sum + value * value, 0);
    this.#scale = 2 / (strength * SPAN);
  }

  /**
   * @param {Float32Array} samples as many as `SPAN`
   * @returns {{ level: number, flatness: number }} the band's level in decibels below full scale, and how evenly it is filled:
   *   about 0.56 for noise, below 0.4 for a voice
   */
  look(samples) {
    const [real, imaginary] = [this.#real, this.#imaginary];
    imaginary.fill(0);
    for (let at = 0; at < SPAN; at += 1) real[reversed(at)] = (samples[at] ?? 0) * (this.#window[at] ?? 0);
    for (let half = 1; half < SPAN; half *= 2) {
      const step = SPAN / (half * 2);
      for (let from = 0; from < SPAN; from += half * 2) {
        for (let pair = 0; pair < half; pair += 1) {
          const [one, two] = [from + pair, from + pair + half];
          const [c, s] = [this.#cos[pair * step] ?? 0, this.#sin[pair * step] ?? 0];
          const [r, i] = [real[two] ?? 0, imaginary[two] ?? 0];
          const [turnedReal, turnedImaginary] = [r * c - i * s, r * s + i * c];
          real[two] = (real[one] ?? 0) - turnedReal;
          imaginary[two] = (imaginary[one] ?? 0) - turnedImaginary;
          real[one] = (real[one] ?? 0) + turnedReal;
          imaginary[one] = (imaginary[one] ?? 0) + turnedImaginary;
        }
      }
    }
    let [sum, logs] = [0, 0];
    for (let at = this.#first; at <= this.#last; at += 1) {
      const power = (real[at] ?? 0) ** 2 + (imaginary[at] ?? 0) ** 2 + NOTHING;
      sum += power;
      logs += Math.log(power);
    }
    const bins = this.#last - this.#first + 1;
    return { level: 10 * Math.log10(sum * this.#scale + NOTHING), flatness: Math.exp(logs / bins) / (sum / bins) };
  }
}

const BITS = Math.log2(SPAN);
const REVERSED = Uint16Array.from({ length: SPAN }, (_, at) => {
  let turned = 0;
  for (let bit = 0; bit < BITS; bit += 1) turned |= ((at >> bit) & 1) << (BITS - 1 - bit);
  return turned;
});

/** @param {number} at */
function reversed(at) {
  return REVERSED[at] ?? 0;
}
