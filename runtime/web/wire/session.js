/**
 * Who is signed in here: the token, kept on this device until its person signs out or the server does not know it any more.
 */

import { forget, keep } from "../lib/keep.js";

/** @typedef {{ token: string, person: { id: string, name: string }, device: { id: string, name: string } }} Session */

const KEY = "handset.session";

/** @returns {Session | null} */
export function session() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return typeof found?.token === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {Session} signedIn */
export async function enter(signedIn) {
  localStorage.setItem(KEY, JSON.stringify({ token: signedIn.token, person: signedIn.person, device: signedIn.device }));
  // The worker, which reports what has rung, cannot read the other place.
  await keep("token", signedIn.token);
}

/**
 * Tells when somebody else is signed in here, or nobody any more: another page of this browser has signed out, erased, or let
 * somebody in. A page that sleeps is told nothing; it looks when it wakes.
 * @param {() => void} changed
 */
export function watch(changed) {
  const token = session()?.token;
  const look = () => session()?.token !== token && changed();
  // Without a key, everything was cleared.
  addEventListener("storage", (event) => (event.key === KEY || event.key === null) && look());
  addEventListener("pageshow", look);
  document.addEventListener("visibilitychange", look);
}

/** Forgets everything of the person's on this device. */
export async function leave() {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("handset.") && key !== "handset.language") localStorage.removeItem(key);
  }
  sessionStorage.clear();
  await Promise.all([forget(), silence()]);
}

/** Takes down whatever rings or rang: it is not for who comes next. */
async function silence() {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  } catch {
    // A browser without notifications shows none.
  }
}

/** What this device calls itself. */
export function deviceName() {
  const agent = navigator.userAgent;
  const system = ["iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux"].find((name) => agent.includes(name)) ?? "";
  const browser = ["Edg", "Firefox", "Chrome", "Safari"].find((name) => agent.includes(name)) ?? "";
  const said = { Edg: "Edge", Macintosh: "Mac" };
  const name = (/** @type {string} */ word) => said[/** @type {keyof typeof said} */ (word)] ?? word;
  return [name(browser), name(system)].filter(Boolean).join(", ") || "browser";
}

/** The id under which this page plays a phone: its own, and the same tomorrow. */
export function phoneId() {
  const known = localStorage.getItem("handset.phone");
  if (known) return known;
  const made = `page-${fresh().slice(0, 8)}`;
  localStorage.setItem("handset.phone", made);
  return made;
}

/** A new id of one's own, for a write that may be repeated. */
export function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
