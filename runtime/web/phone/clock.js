/**
 * Timers and alarms that run while this page is open, and are there again after a reload.
 */

import { clock } from "../lib/time.js";
import { say } from "../lib/words.js";
import { chime } from "./sounds.js";
import { fresh } from "../wire/session.js";

/** @typedef {import("../types/wire.d.ts").Call} Call */
/** @typedef {{ id: string, kind: "alarm" | "timer", label: string, at: number, time?: string, days?: string[], rings?: boolean }} Clock */

const KEY = "handset.clocks";
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** @type {Clock[]} */
let clocks = [];
/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * When an alarm rings next: the first such minute behind now, on one of its days where it has some.
 * @param {string} time
 * @param {string[]} days
 * @param {number} nowMs
 */
export function nextTime(time, days, nowMs) {
  const [hours, minutes] = time.split(":").map(Number);
  for (let ahead = 0; ahead <= 7; ahead += 1) {
    const date = new Date(nowMs);
    date.setDate(date.getDate() + ahead);
    date.setHours(hours ?? 0, minutes ?? 0, 0, 0);
    const fits = days.length === 0 || days.includes(DAYS[date.getDay()] ?? "");
    if (fits && date.getTime() > nowMs) return date.getTime();
  }
  return nowMs;
}

/** @param {Call} call */
export function setAlarm(call) {
  const at = nextTime(call.time ?? "00:00", call.days ?? [], Date.now());
  add({ id: fresh(), kind: "alarm", label: call.label ?? call.summary, at, time: call.time ?? "00:00", days: call.days ?? [] });
  return say("phone_did_alarm", { time: call.time ?? "" });
}

/** @param {Call} call */
export function setTimer(call) {
  add({ id: fresh(), kind: "timer", label: call.label ?? call.summary, at: Date.now() + (call.seconds ?? 0) * 1000 });
  return say("phone_did_timer");
}

/** What runs, the next first. */
export function running() {
  return [...clocks].sort((a, b) => a.at - b.at);
}

/** @param {() => void} listener */
export function onClocks(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {string} id */
export function removeClock(id) {
  read();
  clocks = clocks.filter((clock) => clock.id !== id);
  changed();
}

/** One that rings is quiet; an alarm of several days waits for the next. @param {string} id */
export function quiet(id) {
  read();
  const found = clocks.find((clock) => clock.id === id);
  if (found?.time && found.days?.length) {
    found.rings = false;
    found.at = nextTime(found.time, found.days, Date.now());
    changed();
  } else {
    removeClock(id);
  }
}

/** Takes up what ran before a reload, and what another page of this phone sets. */
export function beginClocks() {
  addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    read();
    shown();
  });
  read();
  changed();
}

/** As they are kept: another page of the same phone may have changed them. */
function read() {
  try {
    clocks = JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    clocks = [];
  }
}

/** @param {Clock} made */
function add(made) {
  read();
  clocks.push(made);
  // Asked for within the tap that confirmed it; a refusal leaves the page's own ringing.
  if ("Notification" in window && Notification.permission === "default") void Notification.requestPermission();
  changed();
}

function changed() {
  localStorage.setItem(KEY, JSON.stringify(clocks));
  shown();
}

function shown() {
  clearTimeout(timer);
  const next = running().find((clock) => !clock.rings);
  // A timer of a browser holds 24 days at most; it is looked at again before.
  if (next) timer = setTimeout(due, Math.min(Math.max(0, next.at - Date.now()), 3_600_000));
  for (const listener of listeners) listener();
}

function due() {
  read();
  for (const found of clocks.filter((clock) => !clock.rings && clock.at <= Date.now())) {
    found.rings = true;
    chime();
    if ("Notification" in window && Notification.permission === "granted" && document.visibilityState === "hidden") {
      try {
        new Notification(found.label, { body: clock(found.at), tag: found.id });
      } catch {
        // Some phones show notifications by their worker alone.
      }
    }
  }
  changed();
}
