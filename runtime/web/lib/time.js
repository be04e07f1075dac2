/**
 * Moments as people say them, and the server's clock.
 */

import { language } from "./words.js";

/** How far the server's clock is ahead of this one, in milliseconds. */
let ahead = 0;

/**
 * Notes what the server's clock says.
 * @param {number} serverMs
 */
export function setClock(serverMs) {
  ahead = serverMs - Date.now();
}

/** The server's time: deadlines are its own. */
export function now() {
  return Date.now() + ahead;
}

function locale() {
  return language() === "zh" ? "zh-CN" : navigator.languages.find((tag) => tag.startsWith("en")) ?? "en-GB";
}

/**
 * @param {number} ms
 */
export function clock(ms) {
  return new Intl.DateTimeFormat(locale(), { hour: "numeric", minute: "2-digit" }).format(ms);
}

/**
 * The day, as a line between messages says it.
 * @param {number} ms
 */
export function day(ms) {
  const date = new Date(ms);
  const today = startOfDay(Date.now());
  const days = Math.round((today - startOfDay(ms)) / 86_400_000);
  if (days === 0 || days === 1) {
    const words = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(-days, "day");
    return words.charAt(0).toLocaleUpperCase(locale()) + words.slice(1);
  }
  /** @type {Intl.DateTimeFormatOptions} */
  const shape = { weekday: "long", day: "numeric", month: "long" };
  if (date.getFullYear() !== new Date().getFullYear()) shape.year = "numeric";
  return new Intl.DateTimeFormat(locale(), shape).format(date);
}

/**
 * The first moment of a day, here.
 * @param {number} ms
 */
export function startOfDay(ms) {
  const date = new Date(ms);
  date.setHours(0, 0, 0, 0);
  return date.getTime();
}

/**
 * A day or an hour, whichever is shorter to say.
 * @param {number} ms
 */
export function brief(ms) {
  if (startOfDay(ms) === startOfDay(Date.now())) return clock(ms);
  return new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short" }).format(ms);
}

/**
 * Minutes and seconds: `1:05`.
 * @param {number} ms
 */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
