/**
 * What this page does when its person confirms a card: as much of a phone as a browser can be. What it cannot, it says.
 *
 * An action runs inside the tap that confirms it, since a browser opens nothing otherwise.
 */

import { say, sayOr } from "../lib/words.js";
import { calendarFile } from "./calendar.js";
import { setAlarm, setTimer } from "./clock.js";
import { dialer, mail, shortcut, sms } from "./links.js";
import { navigation, search } from "./places.js";
import { command } from "./player.js";
import { torch } from "./torch.js";

/** @typedef {import("../types/wire.d.ts").Call} Call */
/** @typedef {{ status: "done" | "failed", message?: string }} Done */

/** @param {string} [message] @returns {Done} */
const done = (message) => (message ? { status: "done", message } : { status: "done" });
/** @param {string} message @returns {Done} */
const failed = (message) => ({ status: "failed", message });

/**
 * Opens an address in its own window or app.
 * @param {string} url
 * @returns {Done}
 */
function open(url) {
  if (/^https?:/i.test(url)) {
    // With `noopener` a browser would not tell whether it let the window open. What is opened has no hold on this page all the
    // same: the page's policy cuts it off from what is not its own.
    const opened = window.open(url, "_blank");
    if (!opened) return failed(say("phone_blocked"));
    try {
      opened.opener = null;
    } catch {
      // Cut off already.
    }
    return done();
  }
  const link = document.createElement("a");
  link.href = url;
  link.rel = "noopener";
  link.click();
  // Whether an app of the device took it, no page is told.
  return done(say("phone_did_hand"));
}

/** @type {Record<string, (call: Call) => Done | Promise<Done>>} */
const DO = {
  alarm: (call) => done(setAlarm(call)),
  timer: (call) => done(setTimer(call)),
  calendar_event: (call) => {
    calendarFile(call);
    return done(say("phone_did_calendar"));
  },
  sms_draft: (call) => open(sms(call)),
  email_draft: (call) => open(mail(call)),
  dial: (call) => open(dialer(call)),
  navigate: (call) => open(navigation(call.destination, call.stops ?? [], call.mode)),
  add_stop: (call) => open(navigation(call.destination, call.stop ? [call.stop] : [], undefined)),
  search_nearby: (call) => open(search(call.query ?? "")),
  open_url: (call) => open(call.url ?? ""),
  media: (call) => {
    const told = command(call.command ?? "");
    return told ? done(told) : failed(say("phone_cannot_media"));
  },
  torch: async (call) => {
    const fault = await torch(call.on === true);
    return fault ? failed(fault) : done();
  },
  automation_intent: (call) => {
    const url = shortcut(call);
    return url ? open(url) : failed(say("phone_cannot_automation_intent"));
  },
};

/**
 * Carries a call out.
 * @param {Call} call
 * @returns {Promise<Done>}
 */
export async function carryOut(call) {
  const act = DO[call.action];
  if (!act) return failed(sayOr(`phone_cannot_${call.action}`, "phone_cannot"));
  try {
    return await act(call);
  } catch (error) {
    return failed(say("phone_fault", { reason: error instanceof Error ? error.message : String(error) }));
  }
}
