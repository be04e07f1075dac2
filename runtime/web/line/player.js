/**
 * Recorded pieces of a voice, one behind the other without a gap, at the loudness of their turn.
 */

/** How long a voice takes to fall silent, in seconds: at once, and without a click. */
const FADE = 0.02;

/** @typedef {{ from: number, until: number, source: AudioBufferSourceNode, gain: GainNode }} Playing */

export class Player {
  /** The moment at which everything will have been played, in the context's time. */
  #end = 0;
  /** @type {Set<Playing>} */
  #playing = new Set();

  /** @param {() => AudioContext} context */
  constructor(context) {
    this.context = context;
  }

  /** @param {ArrayBuffer} bytes @returns {Promise<AudioBuffer>} */
  decode(bytes) {
    return this.context().decodeAudioData(bytes);
  }

  /**
   * Plays it behind what plays.
   * @param {AudioBuffer} buffer
   * @param {number} loud as a part of full loudness
   * @param {() => void} ended told when it was played to its end, not when it was stopped
   * @returns {Playing}
   */
  play(buffer, loud, ended) {
    const context = this.context();
    const source = context.createBufferSource();
    const gain = context.createGain();
    source.buffer = buffer;
    gain.gain.value = loud;
    source.connect(gain).connect(context.destination);
    const from = Math.max(context.currentTime, this.#end);
    const playing = { from, until: from + buffer.duration, source, gain };
    this.#end = playing.until;
    this.#playing.add(playing);
    source.onended = () => {
      if (!this.#playing.delete(playing)) return;
      gain.disconnect();
      ended();
    };
    source.start(from);
    return playing;
  }

  /** How much of it has been heard, from 0 to 1: what is on its way to the ear is not heard yet. @param {Playing} playing */
  share({ from, until }) {
    const context = this.context();
    const heard = context.currentTime - (context.outputLatency || context.baseLatency || 0);
    return Math.max(0, Math.min(1, (heard - from) / (until - from || 1)));
  }

  /** Silence, now: all of it, or these alone. @param {Iterable<Playing>} [those] */
  stop(those = [...this.#playing]) {
    const now = this.context().currentTime;
    for (const playing of those) {
      this.#playing.delete(playing);
      playing.gain.gain.setTargetAtTime(0, now, FADE / 4);
      playing.source.stop(now + FADE);
    }
    this.#end = Math.max(0, ...[...this.#playing].map(({ until }) => until));
  }
}
