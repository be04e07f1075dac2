/**
 * Runs beside the page, in the audio's own thread: hands on what the microphone gives, ten milliseconds at a time.
 */

class Capture extends AudioWorkletProcessor {
  #block = new Float32Array(Math.round(sampleRate / 100));
  #filled = 0;

  /** @param {Float32Array[][]} inputs */
  process(inputs) {
    const samples = inputs[0]?.[0];
    // A microphone that is closed gives nothing for a while.
    if (!samples) return true;
    for (const sample of samples) {
      this.#block[this.#filled] = sample;
      this.#filled += 1;
      if (this.#filled < this.#block.length) continue;
      this.port.postMessage(this.#block.slice());
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor("capture", Capture);
