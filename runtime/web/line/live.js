/**
 * A call as it is lived on this device: what the person says goes to the server, what the companion says comes from there, and
 * whoever speaks is heard at once.
 */

import { audio } from "../phone/sounds.js";
import { fresh, session } from "../wire/session.js";
import { Ear } from "./ear.js";
import { Mouth } from "./mouth.js";
import { Line } from "./socket.js";

/** How long the server may take to say that the call has ended, in milliseconds. */
const ENDS_WITHIN = 4000;

/** @typedef {import("../types/live.d.ts").LiveFrame} Frame */
/** @typedef {import("../types/wire.d.ts").Message} Message */
/** @typedef {"connecting" | "away" | "speaks" | "hears" | "understands" | "thinks" | "muted" | "listens" | "open"} Phase */
/** @typedef {"deaf" | "refused" | "absent" | "voiceless" | "nothing" | "fault"} Notice */

/** A phone: its name, on which cards appear, and what it can do. @typedef {{ capabilities: string[], device: string }} Phone */

/**
 * Who lives with the call: what is said is told to it, and how the call stands.
 * @typedef {{
 *   spoken: (text: string, feeling: string | null) => void,
 *   piece: (turn: string, piece: number, text: string) => void,
 *   replied: (turn: string, message: Message | null) => void,
 *   stopped: (turn: string, message: Message | null) => void,
 *   lingers: (until: number | undefined) => void,
 *   stands: (call: import("../types/wire.d.ts").LiveCall, chat: string) => void,
 *   ended: () => void,
 *   changed: () => void,
 * }} House
 */

export class Live {
  /** Whether the server understands what is said. */
  hears = false;
  /** What the person ought to know. @type {Notice | null} */
  notice = null;
  /** Why something was not understood. @type {import("../types/wire.d.ts").Fault | null} */
  fault = null;
  #thinks = false;
  #softly = 0.5;
  /** How loud each turn is. @type {Map<string, number>} */
  #loud = new Map();
  /** Told when the server says that the call has ended. @type {(() => void) | null} */
  #over = null;
  /** @type {WakeLockSentinel | null} */
  #awake = null;

  /** @param {string} call @param {Phone | null} phone what this device declares with what is said on it @param {House} house */
  constructor(call, phone, house) {
    this.house = house;
    this.ear = new Ear({
      changed: () => this.#microphone(),
      began: () => this.#interrupts(),
      heard: (recording) => this.line.say({ client_id: fresh(), recording }),
      dropped: () => this.#hold(),
    });
    this.mouth = new Mouth({
      changed: () => {
        this.ear.guard(this.mouth.speaks);
        this.house.changed();
      },
      played: (turn, piece) => this.line.note({ type: "played", turn, piece }),
      voiceless: () => this.#say("voiceless"),
    });
    this.line = new Line(() => connect(call), {
      greets: () => phone && { type: "device", ...phone },
      took: (frame, bytes) => this.#take(frame, bytes),
      changed: () => this.#lined(),
    });
    addEventListener("online", this.#online);
    addEventListener("offline", this.#offline);
    document.addEventListener("visibilitychange", this.#seen);
    audio().addEventListener("statechange", this.#sounds);
    this.#seen();
  }

  /** Whether what is said and heard goes over this line, though it may be away for a moment. */
  get lives() {
    return this.line.state === "live" || this.line.state === "away";
  }

  /** Whether this turn is answered over the line. @param {string} turn */
  knows(turn) {
    return this.#loud.has(turn);
  }

  /** Whether the browser keeps all sound back until the person taps. */
  get silent() {
    return audio().state !== "running";
  }

  /** @returns {Phase} */
  get phase() {
    const { state } = this.line;
    if (state === "connecting" || state === "away") return state;
    if (this.ear.hears) return "hears";
    if (this.mouth.speaks) return "speaks";
    if (this.line.waiting > 0) return "understands";
    if (this.#thinks) return "thinks";
    if (this.ear.state === "muted") return "muted";
    return this.hears && this.ear.state === "open" ? "listens" : "open";
  }

  /** Lets the microphone go, or takes it again. @param {boolean} on */
  mute(on) {
    if (on) this.ear.mute();
    else void this.ear.open();
  }

  /** Within a tap: lets sound through, and asks again for what was refused. */
  wake() {
    audio();
    if (this.hears && this.ear.state !== "open") void this.ear.open();
  }

  /** Hangs up. @returns {Promise<boolean>} whether the server has ended the call */
  async hangUp() {
    this.mouth.stop();
    this.ear.finish();
    if (this.line.state !== "live") return false;
    const ended = new Promise((resolve) => {
      this.#over = () => resolve(true);
      setTimeout(() => resolve(false), ENDS_WITHIN);
    });
    this.line.tell({ type: "hangup" });
    return ended;
  }

  /** Lets go of everything. */
  close() {
    removeEventListener("online", this.#online);
    removeEventListener("offline", this.#offline);
    document.removeEventListener("visibilitychange", this.#seen);
    audio().removeEventListener("statechange", this.#sounds);
    this.mouth.stop();
    this.ear.close();
    this.line.close();
    void this.#awake?.release().catch(() => {});
  }

  #online = () => this.line.again();
  #offline = () => this.line.drop();
  #sounds = () => this.house.changed();
  /** A phone that goes to sleep hears nothing more. */
  #seen = () => {
    if (document.visibilityState !== "visible") return;
    this.line.again();
    navigator.wakeLock?.request("screen").then((lock) => (this.#awake = lock)).catch(() => {});
  };

  #lined() {
    // Another page has taken the call.
    if (this.line.state === "taken") return this.house.ended();
    this.#hold();
  }

  /** While the person speaks, and until it is known what they said, nothing begins to be said: it may be no answer any more. */
  #hold() {
    this.mouth.hold(this.ear.hears || this.line.waiting > 0);
    this.house.changed();
  }

  #microphone() {
    const { state } = this.ear;
    if (state === "refused" || state === "absent") this.#say(state);
    else if (this.notice === "refused" || this.notice === "absent") this.#say(null);
    else this.house.changed();
  }

  /** The person begins to speak: the companion is silent at once, and the server learns what had been heard. */
  #interrupts() {
    const place = this.mouth.stop();
    this.mouth.hold(true);
    this.line.note({ type: "speaking", ...(place ?? {}) });
    this.house.lingers(undefined);
    if (this.notice === "nothing" || this.notice === "fault") this.notice = null;
    this.#thinks = false;
    this.house.changed();
  }

  /** @param {Notice | null} notice */
  #say(notice) {
    this.notice = notice;
    this.house.changed();
  }

  /** @param {Frame} frame @param {ArrayBuffer | null} bytes */
  #take(frame, bytes) {
    switch (frame.type) {
      case "ready":
        this.hears = frame.hears;
        this.#softly = frame.soft_gain;
        this.mouth.byServer = frame.speech.by === "server";
        this.house.stands(frame.call, frame.chat);
        if (!frame.hears) this.#say("deaf");
        else if (this.ear.state === "closed") void this.ear.open();
        break;
      case "caption":
        this.#thinks = true;
        this.house.spoken(frame.text, frame.feeling);
        break;
      case "nothing_heard":
        this.#say("nothing");
        break;
      case "fault":
        this.fault = frame.error;
        this.#thinks = false;
        this.#say("fault");
        break;
      case "turn":
        this.#thinks = true;
        this.#loud.set(frame.turn, frame.soft ? this.#softly : 1);
        break;
      case "piece":
        this.#thinks = false;
        this.house.piece(frame.turn, frame.piece, frame.shown);
        this.mouth.add(frame.turn, frame.piece, frame.spoken, this.#loud.get(frame.turn) ?? 1, frame.language ?? "");
        break;
      case "audio":
        void this.mouth.sound(frame.turn, frame.piece, bytes);
        break;
      case "reply":
        this.#thinks = false;
        this.mouth.keep(frame.turn, frame.pieces);
        this.house.replied(frame.turn, frame.message);
        break;
      case "stopped":
        this.#thinks = false;
        this.mouth.cut(frame.turn);
        this.house.stopped(frame.turn, frame.message);
        break;
      case "linger":
        this.house.lingers(frame.until_ms);
        break;
      case "goes_on":
        this.house.lingers(undefined);
        break;
      case "ended":
        this.#over?.();
        this.house.ended();
        break;
      case "bad":
        console.warn(frame.error.message);
        break;
      case "understanding":
        break;
    }
    this.#hold();
  }
}

/** A browser lets a page set no headers of a socket: the token goes as one of the protocols that are offered. @param {string} call */
function connect(call) {
  const address = new URL(`/api/call/live?call=${encodeURIComponent(call)}`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return new WebSocket(address, ["handset", `bearer.${session()?.token ?? ""}`]);
}
