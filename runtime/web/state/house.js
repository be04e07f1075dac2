/**
 * Everything that the page knows, and how it comes to know it: the feed, the outbox, the requests. Views listen to it by topic.
 */

import { keep, kept } from "../lib/keep.js";
import { now, setClock } from "../lib/time.js";
import { Refusal, ask, gate, get, post } from "../wire/api.js";
import { Feed } from "../wire/feed.js";
import { Outbox } from "../wire/outbox.js";
import { leave, phoneId, session, watch } from "../wire/session.js";
import { companion } from "./companion.js";
import { ringing } from "./ringing.js";
import { Thread } from "./thread.js";

/** @typedef {import("../types/wire.d.ts").Chat} Chat */
/** @typedef {import("../types/wire.d.ts").Card} Card */
/** @typedef {import("../types/wire.d.ts").Happening} Happening */
/** @typedef {import("../wire/outbox.js").Item} Item */
/** @typedef {"chats" | "thread" | "cards" | "line" | "outbox" | "flags" | "settings" | "signed_out" | "said"} Topic */

/** How many messages one page has. */
const PAGE = 60;
/** Larger than any message's number, and exact in every language. */
const NEWEST = Number.MAX_SAFE_INTEGER;
/** Of a chat that does not exist yet at the server. */
const NEW = "new:";

class House {
  /** @type {Chat[]} */
  chats = [];
  /** @type {Thread | null} */
  thread = null;
  /** The cards that wait, and those that were answered here and show it. @type {Map<string, Card>} */
  cards = new Map();
  dnd = false;
  /** What a phone declares with what is said on it; the page bears it, since the first word may come before any answer. */
  capability = document.querySelector('meta[name="handset-capability"]')?.getAttribute("content") ?? "";
  /** Whether this page plays the phone. */
  isPhone = false;
  /** @type {Map<Topic, Set<() => void>>} */
  #listeners = new Map();
  /** When the stream last told of a card. @type {Map<string, number>} */
  #told = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #keeping;
  #refreshing = false;
  /** The other pages of this browser: what no event tells is told to them. */
  #tabs = "BroadcastChannel" in window ? new BroadcastChannel("handset") : null;
  /** Of who was signed in when this page began. @type {string | undefined} */
  #token;
  #again = false;

  feed = new Feed({
    device: () => (this.isPhone ? phoneId() : null),
    happened: (happening, place) => this.#take(happening, place),
    resync: () => void this.refresh(),
    changed: () => {
      if (this.feed.line === "live") {
        this.outbox.hurry();
        void this.refresh();
        void ringing.look();
      }
      this.tell("line");
    },
    hold: () => this.thread?.hold() ?? null,
  });

  outbox = new Outbox({
    changed: () => this.tell("outbox"),
    arrived: (item, answer) => this.#arrived(item, answer),
    refused: (item, refusal) => this.#refused(item, refusal),
  });

  /**
   * @param {Topic} topic
   * @param {() => void} listener
   */
  on(topic, listener) {
    const listeners = this.#listeners.get(topic) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(topic, listeners);
    return () => listeners.delete(listener);
  }

  /** @param {Topic} topic */
  tell(topic) {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }

  /** @param {boolean} isPhone */
  async begin(isPhone) {
    this.isPhone = isPhone;
    ringing.phone = isPhone ? { capabilities: [this.capability], device: phoneId() } : null;
    gate.closed = () => void this.signOut(false);
    this.#token = session()?.token;
    watch(() => this.#left());
    this.#tabs?.addEventListener("message", (event) => {
      if (typeof event.data?.gone === "string") this.#gone(event.data.gone);
    });
    this.chats = (await kept("chats")) ?? [];
    this.tell("chats");
    if (isPhone) {
      for (const card of (await kept("cards")) ?? []) if (!this.cards.has(card.id)) this.cards.set(card.id, this.#answered(card));
      this.tell("cards");
    }
    this.feed.start();
    this.outbox.hurry();
    ringing.begin();
    await this.refresh();
  }

  /** The chats, with those that the server has not heard of yet. @returns {Chat[]} */
  listed() {
    const unsent = this.outbox.waiting().filter((item) => item.path === "/api/chats");
    const made = unsent.map((item) => {
      const said = this.outbox.waiting().filter((other) => other.chat === NEW + item.id && typeof other.body.text === "string");
      const last = said.at(-1);
      /** @type {any} */
      const chat = { id: NEW + item.id, created_at_ms: item.at, opening: said[0]?.body.text.slice(0, 80) };
      if (last) chat.last = { role: "person", text: last.body.text.slice(0, 160), at_ms: last.at };
      return chat;
    });
    return [...made, ...this.chats];
  }

  /** A chat that is there no more. @param {string} chat */
  #gone(chat) {
    this.chats = this.chats.filter((known) => known.id !== chat);
    if (this.thread?.chat === chat) {
      this.thread = null;
      this.tell("thread");
    }
    this.tell("chats");
    void keep("chats", this.chats);
  }

  /** Reads everything anew: after a start, and wherever events may have been missed. */
  async refresh() {
    if (this.#refreshing) {
      this.#again = true;
      return;
    }
    this.#refreshing = true;
    try {
      do {
        this.#again = false;
        await Promise.all([this.#readChats(), this.#readCards(), this.#readFlags(), this.#readThread()]);
      } while (this.#again);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The feed tells when the server is there again, and this is done anew.
    } finally {
      this.#refreshing = false;
    }
  }

  async #readChats() {
    /** @type {Chat[]} */
    const chats = (await get("/api/chats")).chats;
    for (const chat of chats) {
      // What the stream told meanwhile is newer than the answer.
      const known = this.chats.find((known) => known.id === chat.id);
      if ((known?.last?.at_ms ?? 0) > (chat.last?.at_ms ?? 0)) Object.assign(chat, { last: known?.last, opening: known?.opening });
    }
    this.chats = chats;
    void keep("chats", this.chats);
    this.tell("chats");
  }

  async #readCards() {
    const query = this.isPhone ? `?device=${encodeURIComponent(phoneId())}` : "";
    const asked = Date.now();
    const { cards, now_ms } = await get(`/api/cards${query}`);
    // Half of the way there and back is taken for the way back.
    setClock(now_ms + (Date.now() - asked) / 2);
    /** @type {Map<string, Card>} */
    const found = new Map(cards.map((/** @type {Card} */ card) => [card.id, card]));
    for (const [id, card] of this.cards) {
      // The stream's word on a card is newer than an answer that was asked for before.
      const told = (this.#told.get(id) ?? 0) >= asked;
      if (told || (card.state !== "pending" && !found.has(id))) found.set(id, card);
    }
    for (const [id, card] of found) found.set(id, this.#answered(card));
    this.cards = found;
    this.#keepCards();
    this.tell("cards");
  }

  /** A card as it stands here: its answer may wait to be sent. @param {Card} card @returns {Card} */
  #answered(card) {
    const path = `/api/cards/${encodeURIComponent(card.id)}/answer`;
    const waits = card.state === "pending" && this.outbox.waiting().some((item) => item.path === path);
    return waits ? { ...card, state: "sending" } : card;
  }

  /** Those that wait are there over a reload, without a network as well. */
  #keepCards() {
    if (!this.isPhone) return;
    const waiting = [...this.cards.values()].filter((card) => card.state === "pending" || card.state === "sending");
    void keep("cards", waiting.map((card) => ({ ...card, state: "pending" })));
  }

  async #readFlags() {
    this.dnd = (await get("/api/flags")).dnd;
    this.tell("flags");
  }

  /**
   * Opens a chat; nothing is a new one.
   * @param {string | null} chat
   */
  async open(chat) {
    if (this.thread && this.thread.chat === chat) return;
    const thread = new Thread(chat ?? "");
    this.thread = chat === null ? null : thread;
    if (chat !== null && !chat.startsWith(NEW)) {
      const page = await kept(`thread:${chat}`);
      if (page && !thread.loaded) {
        thread.reset(page);
        thread.loaded = false;
      }
      this.tell("thread");
      try {
        await this.#readThread();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.status === 404 && this.thread === thread) {
          this.thread = null;
          this.tell("thread");
        }
      }
    } else {
      thread.loaded = true;
      this.tell("thread");
    }
  }

  /** @param {Thread} thread @param {string} query */
  async #page(thread, query) {
    return get(`/api/chats/${encodeURIComponent(thread.chat)}/messages?cards=true&limit=${PAGE}&${query}`);
  }

  async #readThread() {
    const thread = this.thread;
    if (!thread || thread.chat.startsWith(NEW)) return;
    if (thread.loaded && thread.newer) return;
    const page = await this.#page(thread, `before=${NEWEST}`);
    thread.reset(page);
    void keep(`thread:${thread.chat}`, page);
    if (this.thread === thread) this.tell("thread");
  }

  /** Keeps the end of a chat, to be read without a network. @param {Thread} thread */
  #keepSoon(thread) {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => {
      if (!thread.newer && thread.loaded) void keep(`thread:${thread.chat}`, thread.page(PAGE));
    }, 300);
  }

  async older() {
    const thread = this.thread;
    if (!thread?.older) return;
    const page = await this.#page(thread, `before=${thread.first}`);
    thread.prepend(page);
    if (this.thread === thread) this.tell("thread");
  }

  async newer() {
    const thread = this.thread;
    if (!thread?.newer) return;
    const page = await this.#page(thread, `after=${thread.last}`);
    thread.append(page);
    if (this.thread === thread) this.tell("thread");
  }

  /** Back to what was said last. */
  async newest() {
    const thread = this.thread;
    if (!thread) return;
    thread.newer = false;
    thread.loaded = false;
    await this.#readThread();
  }

  /**
   * Says something; what is said first opens its chat.
   * @param {string} text
   */
  say(text) {
    let thread = this.thread;
    if (!thread) {
      const create = this.outbox.put("/api/chats", {});
      thread = new Thread(NEW + create.id);
      thread.loaded = true;
      this.thread = thread;
    }
    /** @type {Record<string, any>} */
    const body = { text };
    if (this.isPhone) {
      body["capabilities"] = [this.capability];
      body["device"] = phoneId();
    }
    if (thread.newer) void this.newest();
    this.outbox.put(`/api/chats/${thread.chat}/messages`, body, thread.chat);
    this.tell("said");
    this.tell("thread");
    return thread.chat;
  }

  async hush() {
    const chat = this.thread?.chat;
    if (chat && !chat.startsWith(NEW)) await post(`/api/chats/${encodeURIComponent(chat)}/stop`, {});
  }

  /**
   * Gives a card's answer. It is stamped now, so that it counts though the network is slow.
   * @param {Card} card
   * @param {"done" | "declined" | "failed"} status
   * @param {string} [message]
   */
  answer(card, status, message) {
    /** @type {Record<string, any>} */
    const body = { status, answered_at: Math.round(now()), device: phoneId() };
    if (message) body["message"] = message;
    this.cards.set(card.id, { ...card, state: "sending" });
    this.#keepCards();
    this.outbox.put(`/api/cards/${encodeURIComponent(card.id)}/answer`, body);
    this.tell("cards");
  }

  /** @param {string} card */
  dismiss(card) {
    this.cards.delete(card);
    this.tell("cards");
  }

  /** @param {string} chat */
  async remove(chat) {
    if (chat.startsWith(NEW)) {
      // Nobody else knows of it.
      for (const item of this.outbox.waiting()) if (item.chat === chat || NEW + item.id === chat) this.outbox.drop(item.id);
    } else {
      await ask("DELETE", `/api/chats/${encodeURIComponent(chat)}`);
    }
    this.#gone(chat);
    this.#tabs?.postMessage({ gone: chat });
  }

  /** @param {boolean} on */
  async setDnd(on) {
    this.dnd = (await post("/api/flags", { dnd: on })).dnd;
    this.tell("flags");
  }

  /** @param {boolean} asked whether the person wished it, and the token is to be no more */
  async signOut(asked) {
    // It is not this page's to forget what is another's by now.
    if (!asked && session() && session()?.token !== this.#token) return this.#left();
    this.feed.stop();
    if (asked) {
      const device = session()?.device.id;
      try {
        if (device) await ask("DELETE", `/api/devices/${encodeURIComponent(device)}`);
      } catch {
        // Signed out here all the same.
      }
    }
    await leave();
    this.tell("signed_out");
  }

  /** Who is signed in is another, or nobody: what this page shows is not theirs. */
  #left() {
    this.feed.stop();
    sessionStorage.clear();
    this.tell("signed_out");
  }

  /**
   * @param {Happening} happening
   * @param {string | null} place
   */
  #take(happening, place) {
    const { event, data } = happening;
    if (event === "flags" || event === "settings") {
      if (typeof data["dnd"] === "boolean") this.dnd = data["dnd"];
      this.tell("flags");
      if (event === "settings") {
        this.tell("settings");
        // Who the companion is may be another.
        void companion.look();
      }
      return;
    }
    if (event === "invite") return ringing.take(data);
    const chat = String(data["chat"] ?? "");
    if (event === "card" || event === "card_closed") this.#card(data["card"]);
    if (event === "message" || event === "reply") {
      this.#listed(chat, data["message"]);
      ringing.heard(data["message"], event === "reply");
    }
    // A reply may have rung.
    if (event === "reply") void ringing.look();
    if (this.thread?.chat === chat) {
      this.thread.take(happening, place);
      this.tell("thread");
      if (event !== "delta") this.#keepSoon(this.thread);
    }
  }

  /** @param {Card} card */
  #card(card) {
    this.#told.set(card.id, Date.now());
    const known = this.cards.get(card.id);
    if (card.state === "pending") {
      if (!known || known.state === "pending") this.cards.set(card.id, card);
    } else if (known) {
      // Shown for a moment as what became of it, where this page is the phone.
      if (this.isPhone) this.cards.set(card.id, card);
      else this.cards.delete(card.id);
    }
    this.#keepCards();
    this.tell("cards");
  }

  /**
   * @param {string} id
   * @param {import("../types/wire.d.ts").Message} message
   */
  #listed(id, message) {
    const chat = this.chats.find((chat) => chat.id === id);
    if (!chat) return void this.#readChats().catch(() => {});
    chat.last = { role: message.role, text: message.text.slice(0, 160), at_ms: message.created_at_ms };
    if (!chat.opening && message.role === "person") chat.opening = message.text.slice(0, 80);
    this.tell("chats");
  }

  /**
   * @param {Item} item
   * @param {any} answer
   */
  #arrived(item, answer) {
    if (item.path === "/api/chats") {
      const [local, real] = [NEW + item.id, String(answer.id)];
      for (const other of this.outbox.waiting().filter((other) => other.chat === local)) {
        this.outbox.move(other, real, other.path.replace(local, real));
      }
      if (this.thread?.chat === local) {
        this.thread.chat = real;
        this.tell("thread");
      }
      if (!this.chats.some((chat) => chat.id === real)) this.chats = [answer, ...this.chats];
      this.tell("chats");
    } else if (typeof item.body.text === "string" && this.thread?.chat === item.chat) {
      this.thread.take({ id: "", event: "sent", data: { chat: item.chat, turn: answer.turn, message: answer } }, this.feed.place);
      this.tell("thread");
    } else if (answer?.card) {
      this.cards.set(answer.card.id, answer.card);
      this.tell("cards");
    }
  }

  /**
   * @param {Item} item
   * @param {Refusal} refusal
   */
  #refused(item, refusal) {
    const card = refusal.body?.card;
    if (!item.path.endsWith("/answer")) return;
    // An answer that does not count: the card shows what became of it instead.
    if (card) this.cards.set(card.id, { ...card, state: refusal.code });
    this.outbox.drop(item.id);
    this.tell("cards");
  }
}

export const house = new House();
export { NEW };
