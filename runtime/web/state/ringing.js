/**
 * Whether a call rings or goes on: told by the stream, by a poll, or by the worker that a push woke, whichever is first. The end is
 * the server's: the card goes by `expires_at`, and at once when the call was answered elsewhere.
 */

import { now, setClock } from "../lib/time.js";
import { Refusal, get, post } from "../wire/api.js";
import { fresh, session } from "../wire/session.js";

/** @typedef {import("../types/wire.d.ts").Invite} Invite */
/** @typedef {import("../types/wire.d.ts").LiveCall} LiveCall */
/** @typedef {import("../types/wire.d.ts").Message} Message */
/**
 * What was said: its words, what the voice told of how the person is, and of the companion's the turn, and whether it was cut short.
 * @typedef {{ who: "person" | "companion", text: string, feeling?: string | null, turn?: string, parts?: string[], cut?: boolean, spoken?: boolean, written?: boolean }} Caption
 */

/** The call that this page has taken: known again when the page is loaded anew. */
const TAKEN = "handset.call";
/** How long the line may take to end a call that the companion has hung up, in milliseconds. */
const ENDS_WITHIN = 5000;
/** Among how many of the newest captions the words are looked for that came on another way, too. */
const NEWEST = 4;

class Ringing {
  /** What rings. @type {Invite | null} */
  invite = null;
  /** The call that goes on, on this device. @type {LiveCall | null} */
  call = null;
  /** The call that goes on, but not on this page. @type {{ call: LiveCall, device: string | null, here: boolean } | null} */
  elsewhere = null;
  /** What is being answered or hung up here just now, by its id: no call of another page's. */
  #busy = "";
  /** @type {{ key: string, text: string }[]} */
  chips = [];
  noteMax = 60;
  /** What was said during the call. @type {Caption[]} */
  lines = [];
  /** The chat that it goes on in, once its line has told. @type {string | null} */
  chat = null;
  /** What is declared with what is said here, where this page is a phone. @type {import("../line/live.js").Phone | null} */
  phone = null;
  /** The call's own line, as long as there is one. @type {import("../line/live.js").Live | null} */
  live = null;
  #interval = 8;
  /** How often something newer than a poll was told or done. */
  #news = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #begun = false;
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /** @param {() => void} listener */
  on(listener) {
    this.#listeners.add(listener);
  }

  begin() {
    if (this.#begun) return;
    this.#begun = true;
    navigator.serviceWorker?.addEventListener("message", (event) => {
      if (event.data?.type === "rang") void this.look();
    });
    void this.look();
  }

  /** Asks the server, now and then again in its interval. */
  async look() {
    clearTimeout(this.#timer);
    try {
      const [asked, news] = [Date.now(), this.#news];
      /** @type {import("../types/wire.d.ts").Ringing} */
      const told = await get("/api/call/invite");
      setClock(told.now_ms + (Date.now() - asked) / 2);
      this.#interval = told.poll_interval;
      this.chips = told.chips;
      this.noteMax = told.note_max_chars;
      // What the stream told while the answer was on its way is newer than the answer.
      if (news !== this.#news) return;
      if (told.call) this.#called(told.call, told.call_device);
      else {
        this.elsewhere = null;
        if (this.call) this.#goes(null);
      }
      this.#set(told.invite);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    } finally {
      if (session()) this.#timer = setTimeout(() => void this.look(), this.#interval * 1000);
    }
  }

  /** Takes what the stream tells. @param {{ invite?: Invite, call?: LiveCall }} data */
  take({ invite, call }) {
    this.#news += 1;
    const by = invite?.answered_by;
    const { id, name } = session()?.device ?? {};
    if (call) this.#called(call, by ? { name: by, here: by === id || by === name } : null);
    // Whose device it is on is the poll's to tell.
    if (this.elsewhere && this.elsewhere.device === null) void this.look();
    if (invite?.state === "pending") {
      this.#set(invite);
      // The chips are the poll's to tell, in the language of this call.
      if (this.chips.length === 0) void this.look();
    } else if (invite && (!this.invite || this.invite.id === invite.id)) {
      this.#set(null);
    } else {
      this.#tell();
    }
  }

  /**
   * A message of the chat, while a call goes on.
   * @param {{ role: string, text: string, turn: string }} message
   * @param {boolean} ends whether the turn ends with it
   */
  heard(message, ends) {
    const { call } = this;
    if (!call || (message.role !== "person" && message.role !== "companion")) return;
    const lives = this.live?.lives === true;
    // What the companion says comes over the line, piece by piece; in another chat, nobody says it aloud.
    if (lives && message.role === "companion" && this.live?.knows(message.turn)) return;
    if (lives && message.role === "person") {
      if (message.text.trim()) this.#wrote(message.text);
      return this.#tell();
    }
    // By its turn, so that the line, which may be later than the chat, says it in the same place.
    const turn = message.role === "companion" ? { turn: message.turn } : {};
    if (message.text.trim()) this.lines.push({ who: message.role, text: message.text, ...turn });
    // What is read is heard as soon as it stands there; a line that is to be hung up lingers from then on.
    if (ends) void post("/api/call/events", { id: call.id, type: "played", turn: message.turn }).catch(() => {});
    this.#tell();
  }

  /** @param {"accept" | "decline"} action @param {string} [note] */
  async answer(action, note) {
    const invite = this.invite;
    if (!invite) return;
    this.#busy = invite.id;
    const body = { id: invite.id, action, client_id: fresh(), ...(note ? { note } : {}) };
    try {
      const given = await post("/api/call/answer", body);
      this.#news += 1;
      if (given.call) {
        this.lines = [];
        this.chat = null;
        this.#goes(given.call);
        void post("/api/call/events", { id: given.call.id, type: "joined" }).catch(() => {});
      }
      this.#set(null);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Answered elsewhere, taken back, too late: it is over in any case. Without a network it rings on.
      if (error.passing) throw error;
      this.#set(null);
    } finally {
      this.#busy = "";
    }
  }

  /** The call that goes on elsewhere goes on here from now on. */
  takeOver() {
    const its = this.elsewhere;
    if (!its) return;
    this.#news += 1;
    this.lines = [];
    this.chat = null;
    this.#goes(its.call);
    this.#tell();
  }

  /** Ends the call that goes on elsewhere. */
  async endElsewhere() {
    const its = this.elsewhere;
    if (its) await this.#end(its.call, []);
    await this.look();
  }

  async hangUp() {
    const call = this.call;
    if (!call) return;
    this.#busy = call.id;
    const transcript = this.lines.map(({ who, text }) => ({ who, text }));
    const live = this.live;
    this.#news += 1;
    this.live = null;
    this.#goes(null);
    this.#tell();
    const done = await live?.hangUp();
    live?.close();
    if (!done) await this.#end(call, transcript);
    this.#busy = "";
  }

  /** @param {LiveCall} call @param {{ who: "person" | "companion", text: string }[]} transcript */
  async #end(call, transcript) {
    const seconds = Math.max(0, (now() - call.began_at_ms) / 1000);
    const body = { id: call.id, seconds, transcript, client_id: fresh() };
    for (let tries = 0; tries < 5; tries += 1) {
      try {
        await post("/api/call/end", body);
        return;
      } catch (error) {
        if (!(error instanceof Refusal) || !error.passing) return;
        await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** tries));
      }
    }
  }

  /** @param {LiveCall} call @param {{ name: string, here: boolean } | null} [device] that it goes on at, where that is told */
  #called(call, device) {
    const over = Boolean(call.ended_at) || call.state === "ended";
    const mine = this.call?.id === call.id || sessionStorage.getItem(TAKEN) === call.id;
    if (!mine) {
      const known = this.elsewhere?.call.id === call.id ? this.elsewhere : null;
      if (over || call.id === this.#busy) this.elsewhere = null;
      else this.elsewhere = { call, device: device?.name ?? known?.device ?? null, here: device?.here ?? known?.here ?? false };
      return;
    }
    this.#goes(over ? null : call);
    if (!this.call || call.state !== "hung_up") return;
    // The companion has hung up: the line ends the call, or else this device does.
    if (!this.live?.lives) return void this.hangUp();
    setTimeout(() => this.call?.id === call.id && this.call.state === "hung_up" && void this.hangUp(), ENDS_WITHIN);
  }

  /** The call that this page takes part in from now on. @param {LiveCall | null} call */
  #goes(call) {
    if (call) sessionStorage.setItem(TAKEN, call.id);
    else sessionStorage.removeItem(TAKEN);
    this.elsewhere = null;
    const [before, known] = [this.call, this.call?.id === call?.id];
    this.call = call;
    if (known) return;
    if (before) this.live?.close();
    this.live = null;
    if (call) void this.#connect(call.id);
  }

  /** Opens the call's own line. What it needs is loaded with the first call. @param {string} id */
  async #connect(id) {
    try {
      const { Live } = await import("../line/live.js");
      if (this.call?.id !== id || this.live) return;
      this.live = new Live(id, this.phone, {
        spoken: (text, feeling) => this.#spoke(text, feeling),
        piece: (turn, piece, text) => this.#said(turn, piece, text),
        replied: (turn, message) => this.#replied(turn, message),
        stopped: (turn, message) => this.#stopped(turn, message),
        lingers: (until) => this.#lingers(until),
        stands: (call, chat) => {
          this.chat = chat;
          this.#called(call, null);
        },
        ended: () => {
          this.#news += 1;
          this.#goes(null);
          this.#tell();
          // Another page may have taken it.
          void this.look();
        },
        changed: () => this.#tell(),
      });
    } catch (error) {
      // The call goes on in the chat.
      console.warn(error);
    }
    this.#tell();
  }

  /** What the person wrote, unless it is what they said, of which the chat tells as well. @param {string} text */
  #wrote(text) {
    const spoken = this.lines.slice(-NEWEST).find((line) => line.who === "person" && line.text === text && line.spoken && !line.written);
    if (spoken) spoken.written = true;
    else this.lines.push({ who: "person", text, written: true });
  }

  /** @param {string} text @param {string | null} feeling */
  #spoke(text, feeling) {
    const written = this.lines.slice(-NEWEST).find((line) => line.who === "person" && line.text === text && line.written && !line.spoken);
    if (written) Object.assign(written, { feeling, spoken: true });
    else this.lines.push({ who: "person", text, feeling, spoken: true });
  }

  /** What a new line repeats stands there once; what it says otherwise takes the place of all behind it. @param {string} turn @param {number} piece @param {string} text */
  #said(turn, piece, text) {
    const line = this.lines.findLast((line) => line.turn === turn);
    const parts = line?.parts ?? [];
    if (line?.cut || parts[piece] === text) return;
    parts.length = piece;
    parts[piece] = text;
    if (line) Object.assign(line, { parts, text: parts.join("") });
    else this.lines.push({ who: "companion", text: parts.join(""), turn, parts });
  }

  /** The whole reply: behind its pieces there may be what no voice says. @param {string} turn @param {Message | null} message */
  #replied(turn, message) {
    const line = this.lines.findLast((line) => line.turn === turn);
    if (!message?.text.trim() || line?.cut) return;
    if (line) line.text = behind(line.text, message.text);
    else this.lines.push({ who: "companion", text: message.text, turn });
  }

  /** Cut short: what was heard is what was said. @param {string} turn @param {Message | null} message */
  #stopped(turn, message) {
    const line = this.lines.findLast((line) => line.turn === turn);
    if (line) Object.assign(line, { text: message?.text ?? "", cut: true });
  }

  /** @param {number | undefined} until */
  #lingers(until) {
    if (!this.call || this.call.lingers_until_ms === until) return;
    const { lingers_until_ms: _, ...call } = this.call;
    this.call = until === undefined ? call : { ...call, lingers_until_ms: until };
    this.#tell();
  }

  /** @param {Invite | null} invite */
  #set(invite) {
    const before = this.invite;
    this.invite = invite && invite.state === "pending" && invite.expires_at_ms > now() ? invite : null;
    if (before && before.id !== this.invite?.id) hush(before.id);
    if (this.invite) {
      const its = this.invite;
      setTimeout(() => {
        if (this.invite?.id === its.id) this.#set(null);
      }, Math.max(0, its.expires_at_ms - now()));
    }
    if (!this.invite) hush(null);
    this.#tell();
  }

  #tell() {
    for (const listener of this.#listeners) listener();
  }
}

/**
 * What was said in pieces with the reply's last part as it is stored: of one that goes on behind a card, what came before stands alone.
 * @param {string} pieces @param {string} last
 */
function behind(pieces, last) {
  let at = 0;
  while (!last.startsWith(pieces.slice(at).trimEnd())) at += 1;
  return pieces.slice(0, at) + last;
}

/** Closes the notifications that a call left; without an id, those of all calls. @param {string | null} id */
function hush(id) {
  void navigator.serviceWorker?.ready.then((registration) => registration.active?.postMessage({ type: "hush", id }));
}

export const ringing = new Ringing();
