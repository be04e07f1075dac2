/**
 * The spec lab: what the running server makes of a call, and of a reply. It answers itself; nothing is read here a second time.
 */

import { fill, h, icon, styled } from "../lib/dom.js";
import { say, sayOr } from "../lib/words.js";
import { get, post } from "../wire/api.js";
import { reason } from "./faults.js";
import { room } from "./room.js";

/** @typedef {import("../types/own.d.ts").LabCall} LabCall */
/** @typedef {import("../types/own.d.ts").LabReply} LabReply */

/** Arguments and replies to begin with: what a model may send, in no language of a person's. */
const CALLS = /** @type {const} */ ([
  ["lab_example_pass", '{\n  "action": "alarm",\n  "time": "07:30",\n  "days": ["mon", "tue"]\n}'],
  ["lab_example_refused", '{\n  "action": "timer",\n  "seconds": "300"\n}'],
  ["lab_example_two", '{"action": "torch", "on": true}{"action": "add_stop"}'],
]);
const REPLIES = /** @type {const} */ ([
  ["lab_example_marker", "Sleep well. ⟪hangup⟫"],
  ["lab_example_code", "`[hangup]` 【拨号：想你了】 ⟪hug⟫"],
]);

/** @param {HTMLElement} app */
export async function lab(app) {
  await Promise.all([styled("settings"), styled("lab")]);
  const body = room(app, say("way_lab"), "lab");
  const version = h("span", { class: "version" });
  void get("/api/tools").then(({ spec }) => (version.textContent = say("lab_spec", { version: spec })), () => {});
  fill(
    body,
    h("p", { class: "lab-lead" }, say("lab_lead"), " ", version),
    bench("call", say("lab_call"), say("lab_call_help"), CALLS, async (text) => calls((await post("/api/lab/call", { arguments: text })).calls)),
    bench("reply", say("lab_reply"), say("lab_reply_help"), REPLIES, async (text) => reply(await post("/api/lab/reply", { reply: text }))),
  );
}

/**
 * @param {string} id
 * @param {string} title
 * @param {string} help
 * @param {readonly (readonly [import("../lib/words.js").Key, string])[]} examples
 * @param {(text: string) => Promise<Node[]>} read
 */
function bench(id, title, help, examples, read) {
  const input = h("textarea", { id: `lab-${id}`, class: "source", rows: 5, spellcheck: "false", autocapitalize: "off", autocomplete: "off", dir: "auto", "aria-describedby": `lab-${id}-help` });
  input.value = sessionStorage.getItem(`handset.lab.${id}`) ?? "";
  const result = h("div", { class: "result", role: "status" });
  const go = async () => {
    sessionStorage.setItem(`handset.lab.${id}`, input.value);
    try {
      fill(result, await read(input.value));
    } catch (error) {
      fill(result, h("p", { class: "fault" }, reason(error)));
    }
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void go();
  });
  return h(
    "section",
    { class: "sheet", "aria-labelledby": `lab-${id}-title` },
    h("h2", { id: `lab-${id}-title` }, h("label", { for: `lab-${id}` }, title)),
    h("p", { class: "hint", id: `lab-${id}-help` }, help),
    input,
    h(
      "div",
      { class: "bench" },
      h("button", { type: "button", class: "primary", onclick: () => void go() }, say("lab_read")),
      ...examples.map(([key, text]) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            onclick: () => {
              input.value = text;
              void go();
            },
          },
          say(key),
        ),
      ),
    ),
    result,
  );
}

/** @param {LabCall[]} calls @returns {Node[]} */
function calls(calls) {
  const many = calls.length > 1 ? [h("p", { class: "hint" }, say("lab_many", { count: calls.length }))] : [];
  return [...many, ...calls.map((call) => ("call" in call ? passes(call) : refused(call)))];
}

/** @param {Extract<LabCall, { call: any }>} call */
function passes({ call, dropped }) {
  return h(
    "article",
    { class: "verdict ok" },
    h("h3", {}, icon("check"), say("lab_verdict_ok")),
    h("pre", { tabindex: 0 }, JSON.stringify(call, null, 2)),
    dropped.length ? h("p", { class: "hint" }, say("lab_dropped", { fields: dropped.join(", ") })) : null,
  );
}

/** @param {Extract<LabCall, { refused: any }>} call */
function refused({ refused, rule }) {
  const row = (/** @type {string} */ name, /** @type {string | undefined} */ value, code = false) =>
    value === undefined ? null : h("div", {}, h("dt", {}, name), h("dd", { lang: code ? null : "en" }, code ? h("code", {}, value) : value));
  return h(
    "article",
    { class: "verdict no" },
    h("h3", {}, icon("warn"), say("lab_verdict_refused")),
    h("blockquote", { lang: "en" }, refused),
    h(
      "dl",
      { class: "rule", "aria-label": say("lab_rule") },
      row(say("lab_rule_text"), rule.text, true),
      row(say("lab_rule_action"), rule.action, true),
      row(say("lab_rule_field"), rule.field, true),
      row(say("lab_rule_check"), rule.check, true),
      row(say("lab_rule_wants"), rule.what),
      row(say("lab_rule_missing"), rule.missing?.map((entry) => entry.join(" | ")).join(", "), true),
    ),
  );
}

/** @param {LabReply} told @returns {Node[]} */
function reply(told) {
  const budget = (/** @type {number | null} */ count) => (count === null ? null : h("span", { class: "hint" }, say("lab_marker_budget", { count })));
  return [
    h("h3", {}, say("lab_shown")),
    told.text ? h("p", { class: "shown", dir: "auto" }, told.text) : h("p", { class: "hint" }, say("lab_shown_nothing")),
    h("h3", {}, say("lab_markers")),
    told.markers.length
      ? h(
          "ul",
          { class: "marks" },
          ...told.markers.map((marker) =>
            h("li", {}, h("code", {}, marker.kind), marker.argument ? h("span", { dir: "auto" }, say("lab_marker_argument", { argument: marker.argument })) : null, budget(marker.per_conversation)),
          ),
        )
      : h("p", { class: "hint" }, say("lab_markers_none")),
    ...(told.plain.length
      ? [
          h("h3", {}, say("lab_plain")),
          h("ul", { class: "marks" }, ...told.plain.map((plain) => h("li", {}, h("code", { dir: "auto" }, plain.text), h("span", { class: "hint" }, sayOr(`lab_plain_${plain.why}`, "lab_plain_unknown", { kind: plain.kind ?? "", max: told.max_chars }))))),
        ]
      : []),
  ];
}
