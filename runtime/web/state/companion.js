/**
 * Who the companion is to this person: its name and its picture, kept on this device, so that the page and the worker show them
 * without a network.
 */

import { keep, kept } from "../lib/keep.js";
import { say } from "../lib/words.js";
import { Refusal, get } from "../wire/api.js";
import { session } from "../wire/session.js";

/** @typedef {import("../types/own.d.ts").Companion} Own */
/** @typedef {{ name: string | null, tag: string | null, picture: string | null }} Kept the picture as an address that holds it */

/** The picture that is drawn. */
export const DRAWN = "/page/icons/companion.svg";

class Companion {
  /** @type {Kept} */
  #its = { name: null, tag: null, picture: null };
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /** What it is called, in the page's language where the person gave it no name. */
  get name() {
    return this.#its.name ?? say("call_from");
  }

  get picture() {
    return this.#its.picture ?? DRAWN;
  }

  /** @param {() => void} listener */
  on(listener) {
    this.#listeners.add(listener);
  }

  async begin() {
    this.#take((await kept("companion")) ?? this.#its);
    await this.look();
  }

  /** Asks the server. */
  async look() {
    try {
      await this.take(await get("/api/companion"));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // What is kept is shown.
    }
  }

  /** Takes what the server says. @param {Own} told */
  async take(told) {
    const { name, picture } = told;
    const same = (picture?.tag ?? null) === this.#its.tag;
    const shown = same ? this.#its.picture : picture ? await read() : null;
    const its = { name, tag: shown ? (picture?.tag ?? null) : null, picture: shown };
    if (name === this.#its.name && same) return;
    await keep("companion", its);
    this.#take(its);
  }

  /** @param {Kept} its */
  #take(its) {
    this.#its = its;
    for (const listener of this.#listeners) listener();
  }
}

/** The picture's bytes, as an address: nobody could ask for it without the token. */
async function read() {
  try {
    const headers = { Authorization: `Bearer ${session()?.token ?? ""}` };
    const response = await fetch("/api/companion/picture", { headers });
    if (!response.ok) return null;
    const bytes = await response.blob();
    return await new Promise((/** @type {(address: string | null) => void} */ resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : null);
      reader.onerror = () => resolve(null);
      reader.readAsDataURL(bytes);
    });
  } catch {
    return null;
  }
}

export const companion = new Companion();
