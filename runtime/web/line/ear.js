/**
 * What the person says: the microphone, and the utterances in what it gives. Muted, it is closed, not only ignored.
 */

import { audio } from "../phone/sounds.js";
import { Gate } from "./gate.js";
import { RATE, Resampler } from "./resample.js";
import { wav } from "./wav.js";

/** @typedef {"closed" | "asking" | "open" | "muted" | "refused" | "absent"} Microphone */

/** The echo of the companion's own voice is the browser's to take out; how loud the person is must stay to be heard. */
const WANTED = { echoCancellation: true, noiseSuppression: true, autoGainControl: false, channelCount: 1 };
/** The contexts whose audio thread has the capture. @type {WeakSet<AudioContext>} */
const equipped = new WeakSet();

export class Ear {
  /** @type {Microphone} */
  state = "closed";
  #gate;
  /** @type {MediaStream | null} */
  #stream = null;
  /** @type {AudioNode[]} */
  #nodes = [];
  /** Which opening is meant: one that was overtaken closes what it got. */
  #turn = 0;

  /**
   * @param {{
   *   changed: () => void,
   *   began: () => void,
   *   heard: (recording: ArrayBuffer) => void,
   *   dropped: () => void,
   * }} house
   */
  constructor(house) {
    this.house = house;
    const heard = (/** @type {Float32Array} */ samples) => house.heard(wav(samples, RATE));
    this.#gate = new Gate({ began: () => house.began(), heard, dropped: () => house.dropped() }, RATE);
  }

  /** Whether the person speaks. */
  get hears() {
    return this.#gate.open;
  }

  /** @param {boolean} on whether the companion's voice is in the room */
  guard(on) {
    this.#gate.guarded = on;
  }

  /** Asks for the microphone and listens. */
  async open() {
    if (this.#stream || this.state === "asking") return;
    this.#turn += 1;
    const turn = this.#turn;
    this.#is("asking");
    try {
      if (!navigator.mediaDevices) throw new DOMException("no microphone without a secure origin", "NotFoundError");
      const stream = await navigator.mediaDevices.getUserMedia({ audio: WANTED });
      if (turn !== this.#turn) return stop(stream);
      this.#stream = stream;
      await this.#listen(stream);
      if (turn !== this.#turn) return;
      this.#is("open");
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#release();
      const refused = error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "SecurityError");
      this.#is(refused ? "refused" : "absent");
    }
  }

  /** Lets the microphone go. What was being said counts. */
  mute() {
    if (this.state !== "open" && this.state !== "asking") return;
    this.#turn += 1;
    this.#gate.end();
    this.#release();
    this.#is("muted");
  }

  /** Lets the microphone go for good. What was being said counts. */
  finish() {
    this.#turn += 1;
    this.#gate.end();
    this.#release();
    this.#is("closed");
  }

  close() {
    this.#turn += 1;
    this.#release();
    this.#is("closed");
  }

  /** @param {MediaStream} stream */
  async #listen(stream) {
    const context = audio();
    if (!equipped.has(context)) {
      await context.audioWorklet.addModule("/page/line/capture.js");
      equipped.add(context);
    }
    if (this.#stream !== stream) return;
    const source = context.createMediaStreamSource(stream);
    const capture = new AudioWorkletNode(context, "capture", { numberOfInputs: 1, numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
    const resampler = new Resampler(context.sampleRate);
    capture.port.onmessage = ({ data }) => {
      if (this.#stream === stream) this.#gate.push(resampler.push(data));
    };
    source.connect(capture);
    this.#nodes = [source, capture];
    for (const track of stream.getAudioTracks()) {
      // Pulled out, or taken away by the system.
      track.addEventListener("ended", () => {
        if (this.#stream !== stream) return;
        this.#gate.end();
        this.#release();
        this.#is("absent");
      });
    }
  }

  #release() {
    for (const node of this.#nodes) node.disconnect();
    this.#nodes = [];
    if (this.#stream) stop(this.#stream);
    this.#stream = null;
  }

  /** @param {Microphone} state */
  #is(state) {
    this.state = state;
    this.house.changed();
  }
}

/** @param {MediaStream} stream */
function stop(stream) {
  for (const track of stream.getTracks()) track.stop();
}
