/**
 * What the page says, in the person's language. Every word stands in the spec's section `page` and comes from the server.
 */

import { keep } from "./keep.js";

/** @typedef {import("../types/words.d.ts").Key} Key */
/** @typedef {"en" | "zh"} Language */

/** @type {readonly Language[]} */
export const LANGUAGES = ["en", "zh"];
const CHOSEN = "handset.language";

/** @type {Record<string, string>} */
let table = {};
/** @type {Language} */
let current = "en";

/** The language that the page speaks. */
export function language() {
  return current;
}

/**
 * Which language to speak: the one that was chosen, else the browser's.
 * @returns {Language}
 */
export function preferred() {
  const chosen = localStorage.getItem(CHOSEN);
  if (chosen === "en" || chosen === "zh") return chosen;
  for (const tag of navigator.languages) {
    const primary = tag.toLowerCase().split("-")[0];
    if (primary === "zh" || primary === "en") return primary;
  }
  return "en";
}

/**
 * Reads the words of a language.
 * @param {Language} wanted
 */
export async function speak(wanted) {
  const response = await fetch(`/page/words/${wanted}.json`);
  if (!response.ok) throw new Error(`words: ${response.status}`);
  table = await response.json();
  current = wanted;
  // The worker speaks as well, when nobody has a page open.
  void keep("language", wanted);
  document.documentElement.lang = wanted === "zh" ? "zh-Hans" : "en";
}

/**
 * Speaks a language from now on.
 * @param {Language} wanted
 */
export async function choose(wanted) {
  localStorage.setItem(CHOSEN, wanted);
  if (wanted !== current) await speak(wanted);
}

/**
 * A text, its holes filled.
 * @param {Key} key
 * @param {Record<string, string | number>} [holes]
 * @returns {string}
 */
export function say(key, holes) {
  const text = table[key] ?? key;
  if (!holes) return text;
  return text.replace(/\{\{([a-z_]+)\}\}/g, (whole, name) => String(holes[name] ?? whole));
}

/**
 * A text whose key is made of something the server said; the other one where there is none.
 * @param {string} key
 * @param {Key} otherwise
 * @param {Record<string, string | number>} [holes]
 */
export function sayOr(key, otherwise, holes) {
  return Object.hasOwn(table, key) ? say(/** @type {Key} */ (key), holes) : say(otherwise, holes);
}
