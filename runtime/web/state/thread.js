/**
 * One chat as far as it is held here: a window of its messages, its cards, and what is being said just now. Pure: events and pages
 * of messages go in, the items to show come out. The window is bounded, however long the chat is.
 */

/** @typedef {import("../types/wire.d.ts").Message} Message */
/** @typedef {import("../types/wire.d.ts").Card} Card */
/** @typedef {import("../types/wire.d.ts").Happening} Happening */
/** @typedef {import("../wire/outbox.js").Item} Waiting */

/** How many messages are held, at most: some screens full. */
export const HELD = 160;

/**
 * @typedef {{ key: string, kind: "day", at: number }
 *   | { key: string, kind: "said", message: Message }
 *   | { key: string, kind: "reply", message: Message }
 *   | { key: string, kind: "record", call: Message | null, result: Message | null, cards: Card[] }
 *   | { key: string, kind: "live", text: string }
 *   | { key: string, kind: "thinking" }
 *   | { key: string, kind: "waiting", item: Waiting }
 *   | { key: string, kind: "note", code: string }} Item
 */

/** @typedef {{ text: string, whole: boolean, place: string | null }} Live */

export class Thread {
  /** In order; no number twice. @type {Message[]} */
  messages = [];
  /** @type {Map<string, Card>} */
  cards = new Map();
  /** Turns under way, with what is said in them so far. @type {Map<string, Live>} */
  live = new Map();
  /** Turns that ended without a word. @type {Map<string, string>} */
  notes = new Map();
  /** Whether there is more before the window, and behind it. */
  older = false;
  newer = false;
  /** Whether the first page has come. */
  loaded = false;

  /** @param {string} chat */
  constructor(chat) {
    this.chat = chat;
  }

  get first() {
    return this.messages[0]?.seq ?? 0;
  }

  get last() {
    return this.messages.at(-1)?.seq ?? 0;
  }

  /**
   * Takes the newest page, in the place of what is held.
   * @param {{ messages: Message[], more: boolean, cards?: Card[] }} page
   */
  reset(page) {
    const behind = this.messages.filter((message) => message.seq > (page.messages.at(-1)?.seq ?? 0));
    this.messages = page.messages;
    this.older = page.more;
    this.newer = false;
    this.loaded = true;
    this.#lay(page.cards);
    // What the stream told while the page was on its way.
    for (const message of behind) this.#insert(message);
    for (const turn of this.live.keys()) if (this.#over(turn)) this.live.delete(turn);
  }

  /**
   * Takes a page that stands before what is held.
   * @param {{ messages: Message[], more: boolean, cards?: Card[] }} page
   */
  prepend(page) {
    this.messages = [...page.messages.filter((message) => message.seq < this.first), ...this.messages];
    this.older = page.more;
    this.#lay(page.cards);
    if (this.messages.length > HELD) {
      this.messages.length = HELD;
      this.newer = true;
      this.#clear();
    }
  }

  /**
   * Takes a page that stands behind what is held.
   * @param {{ messages: Message[], more: boolean, cards?: Card[] }} page
   */
  append(page) {
    for (const message of page.messages) this.#insert(message);
    this.newer = page.more;
    this.#lay(page.cards);
    for (const turn of this.live.keys()) if (this.#over(turn)) this.live.delete(turn);
    this.#trim();
  }

  /**
   * Takes an event of this chat's.
   * @param {Happening} happening
   * @param {string | null} place the place in the stream before it
   */
  take(happening, place) {
    const { event, data } = happening;
    const turn = String(data["turn"] ?? "");
    switch (event) {
      case "sent":
        // The answer to a request, which may be later than the stream: then the stream has told more already.
        if (data["message"].seq > this.last) this.take({ ...happening, event: "message" }, place);
        return;
      case "message":
      case "call":
      case "result":
      case "reply": {
        /** @type {Message} */
        const message = data["message"];
        const live = this.live.get(turn);
        // From here on its words are heard from the first; so they are again behind each message of its own.
        if (message.role === "person" && !live && !this.#over(turn)) this.live.set(turn, { text: "", whole: true, place });
        else if (message.role === "companion" && live) this.live.set(turn, { ...live, text: "", whole: true });
        if (event === "reply") this.live.delete(turn);
        if (!this.newer) this.#insert(message);
        this.#trim();
        return;
      }
      case "delta": {
        const live = this.live.get(turn) ?? { text: "", whole: false, place };
        if (live.whole) live.text += String(data["text"]);
        this.live.set(turn, live);
        return;
      }
      case "card":
      case "card_closed": {
        /** @type {Card} */
        const card = data["card"];
        this.cards.set(card.id, card);
        return;
      }
      case "failed":
        this.live.delete(turn);
        if (!this.messages.some((message) => message.turn === turn && message.role === "companion")) {
          this.notes.set(turn, String(data["code"]));
        }
        return;
      default:
    }
  }

  /**
   * The newest messages that are held, as a page.
   * @param {number} most
   */
  page(most) {
    const messages = this.messages.slice(-most);
    const turns = new Set(messages.map((message) => message.turn));
    const cards = [...this.cards.values()].filter((card) => turns.has(card.turn));
    return { messages, more: this.older || messages.length < this.messages.length, cards };
  }

  /** The place before the oldest turn that is under way: from there a reload has to read again. */
  hold() {
    for (const live of this.live.values()) if (live.place) return live.place;
    return null;
  }

  /** Whether the companion is about to say something, or is saying it. */
  get busy() {
    return this.live.size > 0;
  }

  /** Whether it is saying something that could be stopped: not while a card waits. */
  get speaking() {
    return this.busy && ![...this.cards.values()].some((card) => card.state === "pending" && this.live.has(card.turn));
  }

  /**
   * What to show, in order.
   * @param {Waiting[]} waiting what was said here and has not arrived
   * @returns {Item[]}
   */
  items(waiting) {
    /** @type {Item[]} */
    const items = [];
    /** @type {Map<string, Extract<Item, { kind: "record" }>>} */
    const records = new Map();
    let day = "";
    for (const message of this.messages) {
      const its = new Date(message.created_at_ms).toDateString();
      if (its !== day) items.push({ key: `day:${its}`, kind: "day", at: message.created_at_ms });
      day = its;
      if (message.role === "person") items.push({ key: said(message), kind: "said", message });
      // A reply of markers alone says nothing.
      else if (message.role === "companion" && !message.text.trim() && !message.mark) continue;
      else if (message.role === "companion") items.push({ key: message.id, kind: "reply", message });
      else {
        const id = message.call_id ?? message.id;
        let record = records.get(id);
        if (!record) {
          const cards = [...this.cards.values()].filter((card) => card.call_id === id && card.turn === message.turn);
          record = { key: `call:${message.turn}:${id}`, kind: "record", call: null, result: null, cards: cards.sort((a, b) => a.part - b.part) };
          records.set(id, record);
          items.push(record);
        }
        if (message.role === "call") record.call = message;
        else record.result = message;
      }
    }
    if (this.newer) return items;
    const shown = new Set(this.messages.map((message) => message.client_id).filter(Boolean));
    let behind = false;
    for (const [turn, live] of this.live) {
      if (behind && !live.text.trim()) {
        items.push({ key: `waits:${turn}`, kind: "note", code: "waits_for_card" });
        break;
      }
      const waits = [...this.cards.values()].some((card) => card.turn === turn && card.state === "pending");
      behind ||= waits;
      if (live.text.trim()) items.push({ key: `live:${turn}`, kind: "live", text: live.text });
      else if (!waits && turn === [...this.live.keys()].at(0)) items.push({ key: `thinking:${turn}`, kind: "thinking" });
    }
    const lastTurn = this.messages.at(-1)?.turn;
    for (const [turn, code] of this.notes) if (turn === lastTurn) items.push({ key: `note:${turn}`, kind: "note", code });
    for (const item of waiting) {
      if (item.chat === this.chat && typeof item.body.text === "string" && !shown.has(item.id)) {
        items.push({ key: `said:${item.id}`, kind: "waiting", item });
      }
    }
    return items;
  }

  /** @param {Message} message */
  #insert(message) {
    let at = this.messages.length;
    while (at > 0 && (this.messages[at - 1]?.seq ?? 0) >= message.seq) at -= 1;
    if (this.messages[at]?.seq === message.seq) this.messages[at] = message;
    else this.messages.splice(at, 0, message);
  }

  /** @param {string} turn */
  #over(turn) {
    const words = this.messages.filter((message) => message.turn === turn);
    const last = words.at(-1);
    if (last?.role !== "companion") return false;
    // Words before a call are followed by the call in the same transaction.
    return true;
  }

  /** @param {Card[]} [cards] */
  #lay(cards = []) {
    for (const card of cards) this.cards.set(card.id, card);
  }

  #trim() {
    if (this.messages.length <= HELD + 40) return;
    this.messages.splice(0, this.messages.length - HELD);
    this.older = true;
    this.#clear();
  }

  /** Forgets the cards of turns that are not held any more. */
  #clear() {
    const turns = new Set(this.messages.map((message) => message.turn));
    for (const [id, card] of this.cards) if (card.state !== "pending" && !turns.has(card.turn)) this.cards.delete(id);
  }
}

/**
 * The same from the moment it is sent: what arrives takes the place of what waited.
 * @param {Message} message
 */
function said(message) {
  return message.client_id ? `said:${message.client_id}` : message.id;
}
