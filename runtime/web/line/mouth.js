/**
 * What the companion says: pieces in their order, each by the recording that came for it, else by the browser's own voice.
 */

import { audio } from "../phone/sounds.js";
import { Saying } from "./own-voice.js";
import { Player } from "./player.js";

/**
 * @typedef {{
 *   turn: string,
 *   piece: number,
 *   spoken: string,
 *   loud: number,
 *   language: string,
 *   sound: "waits" | "decodes" | AudioBuffer | "own",
 *   playing: import("./player.js").Playing | Saying | null,
 * }} Piece
 */

/** Of a piece that is being said, or comes next: which, and how much of it was heard. @typedef {{ turn: string, piece: number, share: number }} Place */

export class Mouth {
  /** Whether the server sends a voice; else each piece is the browser's to say. */
  byServer = false;
  /** What has not been said to its end, in order. @type {Piece[]} */
  #pieces = [];
  /** Up to which piece a turn has been said. @type {Map<string, number>} */
  #said = new Map();
  /** Turns that were interrupted: nothing more of them is said. @type {Set<string>} */
  #cut = new Set();
  #player = new Player(audio);
  #held = false;

  /** @param {{ changed: () => void, played: (turn: string, piece: number) => void, voiceless: () => void }} house */
  constructor(house) {
    this.house = house;
  }

  /** Whether something is being said, or about to be. */
  get speaks() {
    return this.#pieces.some((piece) => piece.playing !== null);
  }

  /**
   * A piece to say. One that was said is not said again; one that is known and says something else is said in its stead.
   * @param {string} turn @param {number} piece @param {string} spoken @param {number} loud @param {string} language of the words, or none
   */
  add(turn, piece, spoken, loud, language) {
    if (this.#cut.has(turn)) return;
    // Who repeats it does not know that it was played.
    if (piece <= (this.#said.get(turn) ?? -1)) return this.house.played(turn, piece);
    const known = this.#pieces.find((known) => known.turn === turn && known.piece === piece);
    if (known?.spoken === spoken) return;
    if (known) this.keep(turn, piece);
    const sound = this.byServer && spoken.trim() ? "waits" : "own";
    this.#pieces.push({ turn, piece, spoken, loud, language, sound, playing: null });
    this.#go();
  }

  /** What does not sound yet waits, or waits no more. @param {boolean} on */
  hold(on) {
    if (on === this.#held) return;
    this.#held = on;
    if (!on) this.#go();
  }

  /** Of this turn only so many pieces are said. @param {string} turn @param {number} pieces */
  keep(turn, pieces) {
    const beyond = this.#pieces.filter((piece) => piece.turn === turn && piece.piece >= pieces);
    this.#pieces = this.#pieces.filter((piece) => !beyond.includes(piece));
    const sounding = [];
    for (const { playing } of beyond) {
      if (playing instanceof Saying) playing.stop();
      else if (playing) sounding.push(playing);
    }
    this.#player.stop(sounding);
  }

  /**
   * Its recording; nothing where there will be none.
   * @param {string} turn @param {number} piece @param {ArrayBuffer | null} bytes
   */
  async sound(turn, piece, bytes) {
    const its = this.#pieces.find((known) => known.turn === turn && known.piece === piece);
    if (!its || its.sound !== "waits") return;
    its.sound = "decodes";
    try {
      its.sound = bytes ? await this.#player.decode(bytes) : "own";
    } catch {
      its.sound = "own";
    }
    this.#go();
  }

  /** Silence, now. @returns {Place | null} where it was, if anything was being said or waited for its turn */
  stop() {
    const place = this.#place();
    for (const { turn, playing } of this.#pieces) {
      this.#cut.add(turn);
      if (playing instanceof Saying) playing.stop();
    }
    this.#player.stop();
    this.#pieces = [];
    this.house.changed();
    return place;
  }

  /** Nothing more of this turn is to be said. @param {string} turn */
  cut(turn) {
    this.#cut.add(turn);
    this.keep(turn, 0);
    this.#go();
  }

  /** @returns {Place | null} */
  #place() {
    for (const { turn, piece, playing } of this.#pieces) {
      if (playing === null) return { turn, piece, share: 0 };
      const share = playing instanceof Saying ? playing.share : this.#player.share(playing);
      // What has sounded to its end and was not noted yet has been heard.
      if (share < 1) return { turn, piece, share };
    }
    const last = this.#pieces.at(-1);
    return last ? { turn: last.turn, piece: last.piece, share: 1 } : null;
  }

  /** Lets say what can be said: recordings as early as they are there, the own voice when it is its turn. */
  #go() {
    for (const [at, piece] of this.#pieces.entries()) {
      if (piece.playing !== null) {
        // Whatever comes behind the own voice waits for its end.
        if (piece.playing instanceof Saying) break;
        continue;
      }
      if (this.#held) break;
      const ended = () => this.#ended(piece);
      if (piece.sound instanceof AudioBuffer) piece.playing = this.#player.play(piece.sound, piece.loud, ended);
      else if (piece.sound === "own" && at === 0) {
        if (!piece.spoken.trim()) return ended();
        piece.playing = new Saying(piece.spoken, piece.loud, piece.language, { ended, voiceless: () => this.house.voiceless() });
        break;
      } else break;
    }
    this.house.changed();
  }

  /** @param {Piece} piece */
  #ended(piece) {
    if (!this.#pieces.includes(piece)) return;
    this.#pieces = this.#pieces.filter((other) => other !== piece);
    this.#said.set(piece.turn, piece.piece);
    this.house.played(piece.turn, piece.piece);
    this.#go();
  }
}
