/**
 * How it rings: each burst as it was due and as it arrived, and whether the chosen interval works.
 */

import { fill, h, icon, styled } from "../lib/dom.js";
import { brief, clock } from "../lib/time.js";
import { say } from "../lib/words.js";
import { ringing } from "../state/ringing.js";
import { Refusal, get, post } from "../wire/api.js";
import { fresh } from "../wire/session.js";
import { reason } from "./faults.js";
import { key, plot, seconds } from "./plot.js";
import { room } from "./room.js";

/** @typedef {import("../types/own.d.ts").Rings} Rings */
/** @typedef {import("../types/own.d.ts").RangCall} RangCall */
/** @typedef {import("../types/own.d.ts").RangDevice} RangDevice */

/** How long after a call's end it is looked again: reports are on their way still. In milliseconds. */
const SETTLED = 1_500;

/** @param {HTMLElement} app */
export async function rings(app) {
  await Promise.all([styled("settings"), styled("rings")]);
  const body = room(app, say("way_rings"), "rings");
  const told = h("p", { class: "told", role: "status" });
  const head = h("section", { class: "sheet", "aria-labelledby": "rings-verdict" });
  const list = h("div", { class: "bursts" });
  fill(body, head, list);
  const call = async () => {
    told.textContent = "";
    try {
      await post("/api/call/invite", { reason: say("rings_reason"), client_id: fresh() });
      told.textContent = say("rings_calling");
    } catch (error) {
      const quiet = error instanceof Refusal && (error.body?.dnd === true || error.code === "dnd");
      told.textContent = quiet ? say("rings_dnd") : reason(error);
    }
  };
  const buttons = h(
    "div",
    { class: "choices" },
    h("button", { type: "button", class: "primary", onclick: () => void call() }, icon("bell"), say("rings_call_me")),
    h("button", { type: "button", onclick: () => void read() }, say("rings_again")),
  );
  const read = async () => {
    try {
      show(head, list, await get("/api/rings"), buttons, told);
    } catch (error) {
      fill(head, h("p", { class: "fault", role: "alert" }, reason(error)), buttons);
    }
  };
  let rang = false;
  ringing.on(() => {
    if (rang && !ringing.invite) setTimeout(() => void read().then(() => (told.textContent = "")), SETTLED);
    rang = ringing.invite !== null;
  });
  await read();
}

/**
 * @param {HTMLElement} head
 * @param {HTMLElement} list
 * @param {Rings} told
 * @param {HTMLElement} buttons
 * @param {HTMLElement} status
 */
function show(head, list, told, buttons, status) {
  const { verdict, calls } = told;
  const between = verdict.between_arrivals;
  const holes = {
    seconds: verdict.interval_ms / 1000,
    accepted: verdict.accepted,
    arrived: verdict.arrived,
    median: between ? seconds(between.median_ms) : "",
    spread: between ? seconds(between.spread_ms) : "",
  };
  const words = verdict.code === "none" ? say("rings_none") : say(`rings_verdict_${verdict.code}`, holes);
  const figure = (/** @type {string} */ name, /** @type {string} */ value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  fill(
    head,
    h("h2", { id: "rings-verdict", class: `verdict ${verdict.code}` }, words),
    between
      ? h(
          "dl",
          { class: "figures" },
          figure(say("rings_median"), say("rings_seconds", { seconds: seconds(between.median_ms) })),
          figure(say("rings_spread"), say("rings_seconds", { seconds: seconds(between.spread_ms) })),
          figure(say("rings_arrived"), say("rings_of", { arrived: verdict.arrived, sent: verdict.accepted })),
        )
      : null,
    h("p", { class: "hint" }, say("rings_lead")),
    buttons,
    status,
  );
  fill(list, ...calls.flatMap((call) => call.devices.filter((device) => device.rings.some((ring) => ring.due_at_ms !== null)).map((device) => burst(call, device))));
}

/** @param {RangCall} call @param {RangDevice} device */
function burst(call, device) {
  const id = `burst-${call.invite}-${device.device}`;
  const arrived = device.rings.filter((ring) => ring.arrived_at_ms !== null).length;
  const sent = device.rings.filter((ring) => ring.due_at_ms !== null).length;
  const { arrived_after_due: late, between_arrivals: between } = device.figures;
  const name = device.name ?? say("rings_device_gone");
  const s = (/** @type {number} */ ms) => say("rings_seconds", { seconds: seconds(ms) });
  const words = say("rings_plot", { device: name, arrived, sent, median: late ? seconds(late.median_ms) : "–" });
  return h(
    "section",
    { class: "sheet", "aria-labelledby": id },
    h("h2", { id }, say("rings_device", { device: name, moment: `${brief(call.created_at_ms)}${sameDay(call.created_at_ms) ? "" : ` ${clock(call.created_at_ms)}`}` })),
    h("p", { class: "hint" }, say("rings_verdict_other", { seconds: call.interval_ms / 1000 }), " ", h("span", { dir: "auto" }, say("call_reason", { reason: call.reason || "…" }))),
    plot(device.rings, call.created_at_ms, words),
    key(),
    h(
      "dl",
      { class: "figures small" },
      h("div", {}, h("dt", {}, say("rings_arrived")), h("dd", {}, say("rings_of", { arrived, sent }))),
      late ? h("div", {}, h("dt", {}, say("rings_latency")), h("dd", {}, `${s(late.median_ms)} ± ${s(late.spread_ms)}`)) : null,
      between ? h("div", {}, h("dt", {}, say("rings_between")), h("dd", {}, `${s(between.median_ms)} ± ${s(between.spread_ms)}`)) : null,
    ),
    h("details", {}, h("summary", {}, say("rings_table")), table(call, device)),
  );
}

/** @param {number} ms */
function sameDay(ms) {
  return new Date(ms).toDateString() === new Date().toDateString();
}

/** @param {RangCall} call @param {RangDevice} device */
function table(call, device) {
  const at = (/** @type {number | null} */ ms) => (ms === null ? "–" : say("rings_seconds", { seconds: ((ms - call.created_at_ms) / 1000).toFixed(2) }));
  const head = /** @type {const} */ (["rings_number", "rings_due", "rings_sent_at", "rings_arrived_at", "rings_late"]).map((key) => h("th", { scope: "col" }, say(key)));
  return h(
    "div",
    { class: "table", tabindex: 0, role: "group", "aria-label": say("rings_table") },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...head)),
      h(
        "tbody",
        {},
        ...device.rings.map((ring) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, String(ring.sequence + 1)),
            h("td", {}, at(ring.due_at_ms)),
            h("td", {}, at(ring.sent_at_ms)),
            h("td", {}, ring.arrived_at_ms === null ? say("rings_missing") : at(ring.arrived_at_ms)),
            h("td", {}, ring.arrived_at_ms !== null && ring.due_at_ms !== null ? say("rings_seconds", { seconds: ((ring.arrived_at_ms - ring.due_at_ms) / 1000).toFixed(2) }) : "–"),
          ),
        ),
      ),
    ),
  );
}
