/**
 * What was said here and has not reached the server: kept over a reload and a lost network, sent in order, once. Each has an id of
 * its own, so that sending it twice does it once.
 *
 * One row an item, so that two pages that are open at once do not overwrite each other's. Each bears whose words it holds, and goes
 * out while that person is signed in, or never.
 */

import { Refusal, post } from "./api.js";
import { fresh, session } from "./session.js";

const PREFIX = "handset.out.";
/** How long between two tries, in milliseconds, at most. */
const MAX_WAIT = 15_000;

/**
 * @typedef {{
 *   id: string,
 *   person: string,
 *   path: string,
 *   body: any,
 *   chat: string | null,
 *   at: number,
 *   refused?: string,
 * }} Item
 */

export class Outbox {
  /** @type {Map<string, Item>} */
  items = new Map();
  #sending = false;
  #wait = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {{ changed: () => void, arrived: (item: Item, answer: any) => void, refused: (item: Item, refusal: Refusal) => void }} house */
  constructor(house) {
    this.house = house;
    for (const key of Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))) {
      try {
        const item = JSON.parse(localStorage.getItem(key) ?? "");
        if (item.person !== owner()) throw new Error(key);
        this.items.set(item.id, item);
      } catch {
        localStorage.removeItem(key);
      }
    }
    addEventListener("online", () => this.hurry());
  }

  /** What waits, oldest first. */
  waiting() {
    return [...this.items.values()].sort((a, b) => a.at - b.at);
  }

  /**
   * Puts something in. Its body gets the item's id as `client_id`.
   * @param {string} path
   * @param {any} body
   * @param {string | null} [chat]
   */
  put(path, body, chat = null) {
    const id = fresh();
    const newest = Math.max(0, ...[...this.items.values()].map((item) => item.at));
    const item = { id, person: owner(), path, body: { ...body, client_id: id }, chat, at: Math.max(Date.now(), newest + 1) };
    this.#keep(item);
    this.house.changed();
    this.hurry();
    return item;
  }

  /**
   * Tries one again that was refused.
   * @param {string} id
   */
  retry(id) {
    const item = this.items.get(id);
    if (!item) return;
    delete item.refused;
    this.#keep(item);
    this.house.changed();
    this.hurry();
  }

  /**
   * Sends one to another place than it was meant for: its chat has got an id.
   * @param {Item} item
   * @param {string} chat
   * @param {string} path
   */
  move(item, chat, path) {
    this.#keep({ ...item, chat, path });
  }

  /** @param {string} id */
  drop(id) {
    if (!this.items.delete(id)) return;
    localStorage.removeItem(PREFIX + id);
    this.house.changed();
  }

  /** Sends what waits, now. */
  hurry() {
    this.#wait = 0;
    clearTimeout(this.#timer);
    void this.#send();
  }

  /** @param {Item} item */
  #keep(item) {
    this.items.set(item.id, item);
    // What is said behind a sign-out is nobody's any more.
    if (item.person !== owner()) return;
    try {
      localStorage.setItem(PREFIX + item.id, JSON.stringify(item));
    } catch {
      // The device keeps nothing more; it is sent all the same.
    }
  }

  async #send() {
    if (this.#sending) return;
    this.#sending = true;
    try {
      for (;;) {
        const item = this.waiting().find((item) => item.refused === undefined && item.person !== "" && item.person === owner());
        if (!item) break;
        try {
          const answer = await post(item.path, item.body);
          this.#wait = 0;
          this.house.arrived(item, answer);
          this.drop(item.id);
        } catch (error) {
          const refusal = error instanceof Refusal ? error : new Refusal(0, "unreachable", String(error));
          if (refusal.status === 401) return;
          if (refusal.passing) {
            this.#wait = Math.min(MAX_WAIT, Math.max(1_000, this.#wait * 2));
            this.#timer = setTimeout(() => void this.#send(), this.#wait);
            return;
          }
          item.refused = refusal.code;
          this.#keep(item);
          this.house.refused(item, refusal);
          this.house.changed();
        }
      }
    } finally {
      this.#sending = false;
    }
  }
}

/** Whose words are written here just now; nobody's while nobody is signed in. */
function owner() {
  return session()?.person.id ?? "";
}
