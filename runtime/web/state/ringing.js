/**
 * Whether a call rings or goes on: told by the stream, by a poll, or by the worker that a push woke, whichever is first. The end is
 * the server's: the card goes by `expires_at`, and at once when the call was answered elsewhere.
 */

import { now, setClock } from "../lib/time.js";
import { Refusal, get, post } from "../wire/api.js";
import { fresh, session } from "../wire/session.js";

/** @typedef {import("../types/wire.d.ts").Invite} Invite */
/** @typedef {import("../types/wire.d.ts").LiveCall} LiveCall */

class Ringing {
  /** What rings. @type {Invite | null} */
  invite = null;
  /** The call that goes on, on this device. @type {LiveCall | null} */
  call = null;
  /** @type {{ key: string, text: string }[]} */
  chips = [];
  noteMax = 60;
  /** What was said during the call. @type {{ who: "person" | "companion", text: string }[]} */
  lines = [];
  /** Whether the person has muted themselves. */
  muted = false;
  #interval = 8;
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
      const asked = Date.now();
      /** @type {import("../types/wire.d.ts").Ringing} */
      const told = await get("/api/call/invite");
      setClock(told.now_ms + (Date.now() - asked) / 2);
      this.#interval = told.poll_interval;
      this.chips = told.chips;
      this.noteMax = told.note_max_chars;
      if (told.call) this.#called(told.call, null);
      else if (this.call) this.call = null;
      this.#set(told.invite);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    } finally {
      if (session()) this.#timer = setTimeout(() => void this.look(), this.#interval * 1000);
    }
  }

  /** Takes what the stream tells. @param {{ invite?: Invite, call?: LiveCall }} data */
  take({ invite, call }) {
    if (call) this.#called(call, invite ?? null);
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
   * A sentence of a call that goes on.
   * @param {{ role: string, text: string, turn: string }} message
   * @param {boolean} ends whether the turn ends with it
   */
  heard(message, ends) {
    const { call } = this;
    if (!call || (message.role !== "person" && message.role !== "companion")) return;
    if (message.text.trim()) this.lines.push({ who: message.role, text: message.text });
    // What is read is heard as soon as it stands there; a line that is to be hung up lingers from then on.
    if (ends) void post("/api/call/events", { id: call.id, type: "played", turn: message.turn }).catch(() => {});
    this.#tell();
  }

  /** @param {"accept" | "decline"} action @param {string} [note] */
  async answer(action, note) {
    const invite = this.invite;
    if (!invite) return;
    const body = { id: invite.id, action, client_id: fresh(), ...(note ? { note } : {}) };
    try {
      const given = await post("/api/call/answer", body);
      if (given.call) {
        this.lines = [];
        this.muted = false;
        this.call = given.call;
        void post("/api/call/events", { id: given.call.id, type: "joined" }).catch(() => {});
      }
      this.#set(null);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Answered elsewhere, taken back, too late: it is over in any case. Without a network it rings on.
      if (error.passing) throw error;
      this.#set(null);
    }
  }

  /** @param {boolean} on */
  mute(on) {
    this.muted = on;
    this.#tell();
  }

  async hangUp() {
    const call = this.call;
    if (!call) return;
    const seconds = Math.max(0, (now() - call.began_at_ms) / 1000);
    const transcript = this.lines;
    this.call = null;
    this.#tell();
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

  /** @param {LiveCall} call @param {Invite | null} invite */
  #called(call, invite) {
    const mine = this.call?.id === call.id || invite?.answered_by === session()?.device.id;
    if (!mine) return;
    if (call.ended_at || call.state === "ended") this.call = null;
    else this.call = call;
    // The companion has hung up: this device ends the call.
    if (this.call && call.state === "hung_up") void this.hangUp();
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

/** Closes the notifications that a call left; without an id, those of all calls. @param {string | null} id */
function hush(id) {
  void navigator.serviceWorker?.ready.then((registration) => registration.active?.postMessage({ type: "hush", id }));
}

export const ringing = new Ringing();
