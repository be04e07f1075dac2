/**
 * Texts to be read to from, as a sheet of the settings: put in, listed with their bookmarks, taken away.
 */

import { fill, h, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { ask, get, post } from "../wire/api.js";
import { confirm } from "./confirm.js";
import { reason } from "./faults.js";

/** @typedef {import("../types/own.d.ts").Reading} Reading */

export function readingsSheet() {
  const told = h("p", { class: "told", role: "status" });
  const fault = h("p", { class: "fault", role: "alert" });
  const list = h("ul", { class: "devices texts" });
  const title = h("input", { id: "reading-title", autocomplete: "off" });
  const text = h("textarea", { id: "reading-text", rows: 6, "aria-describedby": "reading-text-help" });
  const file = h("input", { type: "file", accept: ".txt,.md,text/plain,text/markdown", hidden: true, tabindex: -1, "aria-hidden": "true" });
  const choose = h("button", { type: "button", onclick: () => file.click() }, say("reading_file"));
  const save = h("button", { type: "submit", class: "primary" }, say("reading_put_in"));

  const tried = async (/** @type {() => Promise<unknown>} */ act, /** @type {string} */ done) => {
    fault.textContent = "";
    told.textContent = "";
    try {
      await act();
      told.textContent = done;
      await read();
    } catch (error) {
      fault.textContent = reason(error);
    }
  };
  const at = (/** @type {Reading} */ reading) => `/api/readings/${encodeURIComponent(reading.id)}`;
  const row = (/** @type {Reading} */ reading) =>
    h(
      "li",
      {},
      icon("words"),
      h(
        "div",
        {},
        h("strong", {}, reading.title),
        h(
          "span",
          { class: "hint" },
          reading.bookmark === 0
            ? say("reading_new")
            : reading.next === ""
              ? say("reading_over")
              : say("reading_at", { percent: Math.floor((reading.bookmark / reading.chars) * 100), next: `${Array.from(reading.next).slice(0, 40).join("")} …` }),
        ),
      ),
      reading.bookmark === 0
        ? null
        : h("button", { type: "button", class: "plain", "aria-label": say("reading_anew_named", { title: reading.title }), onclick: () => void tried(() => ask("PATCH", at(reading), { bookmark: 0 }), "") }, say("reading_anew")),
      h("button", { type: "button", class: "plain", "aria-label": say("reading_remove_named", { title: reading.title }), onclick: () => void remove(reading) }, say("reading_remove")),
    );
  const remove = async (/** @type {Reading} */ reading) => {
    if (await confirm(say("reading_remove_ask", { title: reading.title }), say("reading_remove"))) await tried(() => ask("DELETE", at(reading)), "");
  };
  const read = () =>
    get("/api/readings").then(
      (/** @type {{ readings: Reading[], limits: { title_chars: number } }} */ own) => {
        title.maxLength = own.limits.title_chars;
        fill(list, ...own.readings.map(row));
      },
      (error) => (fault.textContent = reason(error)),
    );
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    text.value = await chosen.text();
    if (title.value === "") title.value = chosen.name.replace(/\.[a-z]+$/i, "");
  });
  void read();
  return h(
    "section",
    { class: "sheet", "aria-labelledby": "readings" },
    h("h2", { id: "readings" }, say("readings")),
    h("p", { class: "hint lead" }, say("readings_lead")),
    list,
    h(
      "form",
      {
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          void tried(async () => {
            await post("/api/readings", { title: title.value, text: text.value });
            title.value = text.value = "";
          }, say("reading_is_in"));
        },
      },
      h("div", { class: "field" }, h("label", { for: "reading-title" }, say("reading_title")), title),
      h("div", { class: "field" }, h("label", { for: "reading-text" }, say("reading_text")), text, h("p", { class: "hint", id: "reading-text-help" }, say("reading_text_help")), h("div", { class: "choices" }, choose, file)),
      fault,
      h("div", { class: "done" }, save, told),
    ),
  );
}
