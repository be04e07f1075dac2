/**
 * What a person sets: forms made of the spec's knobs, their devices, their own time.
 */

import { fill, h, icon, styled } from "../lib/dom.js";
import { brief, countdown, now } from "../lib/time.js";
import { LANGUAGES, choose, language, say } from "../lib/words.js";
import { house } from "../state/house.js";
import { ask, get, post } from "../wire/api.js";
import { pushNeeds, subscribe, testRing, unsubscribe } from "../wire/push.js";
import { session } from "../wire/session.js";
import { confirm } from "./confirm.js";
import { companionSheet } from "./companion.js";
import { dataSheet } from "./data.js";
import { dial } from "./dial.js";
import { reason } from "./faults.js";
import { readingsSheet } from "./readings.js";
import { room } from "./room.js";
import { voiceSheet } from "./voiceprint.js";

/** @typedef {import("../types/wire.d.ts").Knob} Knob */
/** @typedef {import("../types/wire.d.ts").Section} Section */
/** @typedef {import("../types/wire.d.ts").Clamped} Clamped */
/** @typedef {import("../types/wire.d.ts").Settings} View */

/** @param {HTMLElement} app */
export async function settings(app) {
  await styled("settings");
  const body = room(app, say("way_settings"), "settings");
  try {
    const [form, view] = await Promise.all([get("/api/settings/form"), get("/api/settings")]);
    show(body, form, view);
  } catch (error) {
    fill(body, h("p", { class: "fault", role: "alert" }, reason(error)));
  }
}

/**
 * @param {HTMLElement} body
 * @param {{ person: any[], units: Record<string, Record<string, string>>, sections: Section[] }} form
 * @param {View} view
 */
function show(body, form, view) {
  const notes = h("div", { class: "notes", role: "status" });
  /** @type {Map<string, (view: View) => void>} */
  const fields = new Map();
  const update = (/** @type {View} */ next) => {
    for (const renew of fields.values()) renew(next);
    fill(notes, ...next.notes.map((note) => h("p", { class: "notice" }, icon("warn"), h("span", {}, note.text))));
  };
  const change = async (/** @type {any} */ patch) => {
    const next = await ask("PATCH", "/api/settings", patch);
    update(next);
    return /** @type {View} */ (next);
  };
  const words = (/** @type {Record<string, string>} */ texts) => texts[language()] ?? texts["en"] ?? "";
  const own = Object.fromEntries(form.person.map((one) => [one.key, one]));
  fill(
    body,
    personal(own, fields, change, words),
    companionSheet(),
    ...form.sections
      .filter((section) => section.knobs.length > 0)
      // What does not go together is told where it is set.
      .flatMap((section) => [sheet(section, form.units, fields, change, words), ...(section.key === "call" ? [notes] : [])]),
    readingsSheet(),
    voiceSheet(),
    ringingHere(),
    devices(),
    dataSheet(),
    page(),
  );
  house.on("settings", () => void get("/api/settings").then(update, () => {}));
  house.on("flags", () => fields.get("dnd")?.({ ...view, dnd: house.dnd }));
  update(view);
}

/**
 * @param {Record<string, any>} own
 * @param {Map<string, (view: View) => void>} fields
 * @param {(patch: any) => Promise<View>} change
 * @param {(texts: Record<string, string>) => string} words
 */
function personal(own, fields, change, words) {
  const speaks = h(
    "select",
    { id: "set-language", "aria-describedby": "set-language-help" },
    h("option", { value: "" }, say("language_follows")),
    ...LANGUAGES.map((each) => h("option", { value: each }, each === "zh" ? "中文" : "English")),
  );
  const fault = h("p", { class: "fault", role: "alert" });
  const tried = (/** @type {any} */ patch) =>
    change(patch).then(
      () => (fault.textContent = ""),
      (error) => (fault.textContent = reason(error)),
    );
  speaks.addEventListener("change", () => void tried({ language: speaks.value || null }));
  fields.set("language", (view) => (speaks.value = view.language ?? ""));

  const zones = typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : [];
  const zone = h("input", { id: "set-zone", list: "zones", autocomplete: "off", spellcheck: "false", "aria-describedby": "set-zone-help" });
  zone.addEventListener("change", () => void tried({ zone: zone.value.trim() || null }));
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const use = h("button", { type: "button", class: "plain", onclick: () => void tried({ zone: here }) }, say("zone_here", { zone: here }));
  fields.set("zone", (view) => {
    zone.value = view.zone;
    use.hidden = view.zone === here;
  });

  const quiet = h("input", { id: "set-dnd", type: "checkbox", role: "switch", "aria-describedby": "set-dnd-help" });
  quiet.addEventListener("change", () => void tried({ dnd: quiet.checked }));
  fields.set("dnd", (view) => (quiet.checked = view.dnd));
  return h(
    "section",
    { class: "sheet", "aria-labelledby": "you" },
    h("h2", { id: "you" }, session()?.person.name ?? say("you")),
    row("set-dnd", words(own["dnd"].label), words(own["dnd"].help), quiet),
    row("set-language", words(own["language"].label), words(own["language"].help), speaks),
    row("set-zone", words(own["zone"].label), words(own["zone"].help), h("div", {}, zone, h("datalist", { id: "zones" }, ...zones.map((name) => h("option", { value: name }))), use)),
    fault,
  );
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string} help
 * @param {HTMLElement} control
 */
function row(id, label, help, control) {
  return h(
    "div",
    { class: control.getAttribute("role") === "switch" ? "field switch" : "field" },
    h("label", { for: id }, label),
    control,
    h("p", { class: "hint", id: `${id}-help` }, help),
  );
}

/**
 * @param {Section} section
 * @param {Record<string, Record<string, string>>} units
 * @param {Map<string, (view: View) => void>} fields
 * @param {(patch: any) => Promise<View>} change
 * @param {(texts: Record<string, string>) => string} words
 */
function sheet(section, units, fields, change, words) {
  const rows = section.knobs.map((knob) => field(section, knob, units, fields, change, words));
  const clocks = section.knobs.filter((knob) => knob.unit === "clock");
  const drawn = clocks.length === 2 ? dial() : null;
  if (drawn) {
    fields.set(`${section.key}.dial`, (view) => {
      const values = view.settings[section.key] ?? {};
      drawn.show(String(values[clocks[0]?.key ?? ""] ?? ""), String(values[clocks[1]?.key ?? ""] ?? ""));
    });
  }
  return h(
    "section",
    { class: "sheet", "aria-labelledby": `sheet-${section.key}` },
    h("h2", { id: `sheet-${section.key}` }, words(section.label)),
    drawn?.element ?? null,
    ...rows,
  );
}

/**
 * @param {Section} section
 * @param {Knob} knob
 * @param {Record<string, Record<string, string>>} units
 * @param {Map<string, (view: View) => void>} fields
 * @param {(patch: any) => Promise<View>} change
 * @param {(texts: Record<string, string>) => string} words
 */
function field(section, knob, units, fields, change, words) {
  const path = `${section.key}.${knob.key}`;
  const id = `set-${section.key}-${knob.key}`;
  const isSwitch = knob.unit === "boolean";
  const isClock = knob.unit === "clock";
  const unit = units[knob.unit];
  const told = h("p", { class: "clamped", role: "status" });
  /** What stood there last that is a value. */
  let last = "";
  const control = h("input", {
    id,
    type: isSwitch ? "checkbox" : isClock ? "time" : "number",
    role: isSwitch ? "switch" : null,
    inputmode: isSwitch || isClock ? null : "decimal",
    step: isSwitch || isClock ? null : "any",
    "aria-describedby": `${id}-help`,
  });
  const reset = h("button", { type: "button", class: "plain", onclick: () => void set(null) }, say("setting_default", { value: show(knob.default) }));
  function show(/** @type {any} */ value) {
    if (isSwitch) return say(value ? "on" : "off");
    return measured(value, knob.unit, unit ? words(unit) : "");
  }
  async function set(/** @type {any} */ value) {
    try {
      const next = await change({ settings: { [section.key]: { [knob.key]: value } } });
      const clamped = next.clamped.find((one) => one.path === path);
      told.textContent = clamped
        ? say("setting_clamped", { given: show(clamped.given), used: show(clamped.used), min: show(clamped.min), max: show(clamped.max) })
        : "";
    } catch (error) {
      told.textContent = reason(error);
    }
  }
  control.addEventListener("change", () => {
    if (isSwitch) return void set(control.checked);
    const number = Number(control.value);
    // One that was emptied is what it was: nothing is no value.
    if (control.value === "" || (!isClock && !Number.isFinite(number))) {
      control.value = last;
      told.textContent = "";
      return;
    }
    void set(isClock ? control.value : number);
  });
  fields.set(path, (view) => {
    const value = view.settings[section.key]?.[knob.key];
    if (isSwitch) control.checked = value === true;
    else control.value = last = String(value ?? "");
    reset.hidden = value === knob.default;
  });
  const range = isSwitch || isClock || knob.min === undefined ? null : h("span", { class: "range" }, say("setting_range", { min: knob.min, max: show(knob.max) }));
  return h(
    "div",
    { class: isSwitch ? "field switch" : "field" },
    h("label", { for: id }, words(knob.label)),
    isSwitch ? control : h("div", { class: "entry" }, control, unit && knob.unit !== "count" ? h("span", { class: "unit" }, words(unit)) : null),
    h("p", { class: "hint", id: `${id}-help` }, words(knob.help)),
    h("p", { class: "under" }, range, reset),
    told,
  );
}

/** Whether this device rings while the page is closed, and what each device's push service said last. */
function ringingHere() {
  const told = h("p", { class: "hint", role: "status" });
  const buttons = h("div", { class: "choices" });
  const list = h("ul", { class: "devices" });
  const tried = async (/** @type {() => Promise<any>} */ act) => {
    try {
      const done = await act();
      await read();
      if (done?.outcome) told.textContent = say(done.outcome === "accepted" ? "ring_test_sent" : "ring_test_failed", { reason: done.hint ?? done.outcome });
    } catch (error) {
      told.textContent = reason(error);
    }
  };
  const read = async () => {
    const needs = pushNeeds();
    /** @type {any[]} */
    let all = [];
    try {
      all = (await get("/api/push/subscription")).subscriptions;
    } catch (error) {
      told.textContent = reason(error);
      return;
    }
    const here = all.find((one) => one.current);
    told.textContent = here ? say(here.rings ? "ring_on" : "ring_broken") : say(`ring_${needs}`);
    fill(
      buttons,
      !here && (needs === "ask" || needs === "ready") ? h("button", { type: "button", class: "primary", onclick: () => void tried(subscribe) }, icon("bell"), say("ring_begin")) : null,
      here ? h("button", { type: "button", onclick: () => void tried(testRing) }, icon("bell"), say("ring_test")) : null,
      here ? h("button", { type: "button", onclick: () => void tried(unsubscribe) }, say("ring_end")) : null,
    );
    fill(
      list,
      ...all.map((one) =>
        h(
          "li",
          {},
          icon("bell"),
          h(
            "div",
            {},
            h("strong", {}, one.name ?? one.service),
            h("span", { class: "hint" }, one.last_success_at_ms ? say("ring_last", { moment: brief(one.last_success_at_ms) }) : say(one.rings ? "ring_never" : "ring_broken")),
          ),
        ),
      ),
    );
  };
  void read();
  return h("section", { class: "sheet", "aria-labelledby": "ringing" }, h("h2", { id: "ringing" }, say("ring_here")), told, buttons, list, h("p", { class: "more" }, h("a", { href: "/rings" }, say("way_rings"))));
}

/** The devices that speak for this person. */
function devices() {
  const list = h("ul", { class: "devices" });
  const fault = h("p", { class: "fault", role: "alert" });
  const pairing = h("div", { class: "pairing", role: "status" });
  const read = async () => {
    try {
      const { devices } = await get("/api/devices");
      fill(
        list,
        ...devices.map((/** @type {any} */ device) =>
          h(
            "li",
            {},
            icon(device.name.match(/iPhone|Android|iPad/) ? "phone" : "globe"),
            h(
              "div",
              {},
              h("strong", {}, device.name),
              h("span", { class: "hint" }, device.current ? say("device_this") : device.last_seen_at_ms ? say("device_seen", { moment: brief(device.last_seen_at_ms) }) : say("device_unseen")),
            ),
            device.current || device.kind === "operator"
              ? null
              : h("button", { type: "button", class: "plain", "aria-label": say("device_revoke_named", { name: device.name }), onclick: () => void revoke(device) }, say("device_revoke")),
          ),
        ),
      );
    } catch (error) {
      fault.textContent = reason(error);
    }
  };
  const revoke = async (/** @type {{ id: string, name: string }} */ device) => {
    if (!(await confirm(say("device_revoke_ask", { name: device.name }), say("device_revoke")))) return;
    try {
      await ask("DELETE", `/api/devices/${encodeURIComponent(device.id)}`);
      await read();
    } catch (error) {
      fault.textContent = reason(error);
    }
  };
  const pair = async () => {
    try {
      const made = await post("/api/pairings", {});
      const left = h("span", { class: "hint" });
      fill(pairing, h("p", { class: "code" }, made.code), h("p", { class: "hint" }, say("pairing_help", { address: location.origin })), left);
      const tick = () => {
        const rest = made.expires_at_ms - now();
        left.textContent = rest > 0 ? say("pairing_left", { time: countdown(rest) }) : say("pairing_over");
        if (rest <= 0 || !left.isConnected) clearInterval(timer);
      };
      const timer = setInterval(tick, 1000);
      tick();
    } catch (error) {
      fault.textContent = reason(error);
    }
  };
  void read();
  return h(
    "section",
    { class: "sheet", "aria-labelledby": "devices" },
    h("h2", { id: "devices" }, say("devices")),
    list,
    h("button", { type: "button", onclick: () => void pair() }, icon("plus"), say("pairing_add")),
    pairing,
    fault,
  );
}

/** The language of the page itself. */
function page() {
  return h(
    "section",
    { class: "sheet", "aria-labelledby": "this-page" },
    h("h2", { id: "this-page" }, say("this_page")),
    h("p", { class: "hint" }, say("this_page_help")),
    h(
      "div",
      { class: "choices" },
      ...LANGUAGES.map((each) =>
        h(
          "button",
          {
            type: "button",
            lang: each === "zh" ? "zh-Hans" : "en",
            "aria-pressed": String(each === language()),
            onclick: async () => {
              await choose(each);
              location.reload();
            },
          },
          each === "zh" ? "中文" : "English",
        ),
      ),
    ),
    h("p", { class: "more" }, h("a", { href: "/lab" }, say("way_lab"))),
  );
}

/** What the language itself has a word for, in one and in several. @type {Record<string, string>} */
const COUNTED = { seconds: "second", minutes: "minute", hours: "hour" };

/**
 * A value with its unit. What is only counted has none: its label says of what.
 * @param {any} value
 * @param {string} unit
 * @param {string} words
 */
function measured(value, unit, words) {
  const counted = COUNTED[unit];
  if (counted && typeof value === "number") {
    const locale = language() === "zh" ? "zh-CN" : "en-GB";
    return new Intl.NumberFormat(locale, { style: "unit", unit: counted, unitDisplay: "long", maximumFractionDigits: 6 }).format(value);
  }
  return words && unit !== "count" ? `${value} ${words}` : String(value);
}
