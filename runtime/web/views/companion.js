/**
 * Who the companion is, as a sheet of the settings: its picture, its name, and its persona.
 */

import { h, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { companion } from "../state/companion.js";
import { ask, get } from "../wire/api.js";
import { session } from "../wire/session.js";
import { face } from "./face.js";
import { reason } from "./faults.js";

/** How many pixels a picture is scaled to: enough for the largest place that it has, on a fine screen. */
const SIDE = 512;

/** @typedef {import("../types/own.d.ts").Companion} Own */

export function companionSheet() {
  const told = h("p", { class: "told", role: "status" });
  const fault = h("p", { class: "fault", role: "alert" });
  const name = h("input", { id: "companion-name", autocomplete: "off", "aria-describedby": "companion-name-help" });
  const nameHelp = h("p", { class: "hint", id: "companion-name-help" }, say("companion_name_help", { name: say("call_from") }));
  const persona = h("textarea", { id: "companion-persona", rows: 6, placeholder: say("companion_persona_hint"), "aria-describedby": "companion-persona-help" });
  const pictureHelp = h("p", { class: "hint", id: "companion-picture-help" });
  const file = h("input", { type: "file", accept: "image/png,image/jpeg,image/webp", hidden: true, tabindex: -1, "aria-hidden": "true" });
  const choose = h("button", { type: "button", onclick: () => file.click(), "aria-describedby": "companion-picture-help" }, say("companion_picture_choose"));
  const remove = h("button", { type: "button", class: "plain", hidden: true, onclick: () => void tried(() => ask("DELETE", "/api/companion/picture")) }, say("companion_picture_remove"));
  const save = h("button", { type: "submit", class: "primary" }, say("save"));
  let limit = 0;
  /** What the server has of the two texts; what is being written stays when something else changes. */
  let had = { name: "", persona: "" };

  const show = (/** @type {Own} */ own) => {
    limit = own.limits.picture_bytes;
    if (name.value === had.name) name.value = own.name ?? "";
    if (persona.value === had.persona) persona.value = own.persona ?? "";
    had = { name: own.name ?? "", persona: own.persona ?? "" };
    name.maxLength = own.limits.name_chars * 2;
    remove.hidden = own.picture === null;
    pictureHelp.textContent = say("companion_picture_help", { size: Math.round(limit / 1024) });
    void companion.take(own);
  };
  const tried = async (/** @type {() => Promise<Own>} */ act) => {
    fault.textContent = "";
    told.textContent = "";
    try {
      show(await act());
      told.textContent = say("saved");
    } catch (error) {
      fault.textContent = reason(error);
    }
  };
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    file.value = "";
    if (chosen) void tried(async () => put(await small(chosen, limit)));
  });
  const read = () => get("/api/companion").then(show, (error) => (fault.textContent = reason(error)));
  companion.on(() => void read());
  void read();
  return h(
    "section",
    { class: "sheet", "aria-labelledby": "companion" },
    h("h2", { id: "companion" }, say("companion")),
    h("p", { class: "hint lead" }, say("companion_lead")),
    h(
      "form",
      {
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          // The server says what it made of them: they may come back trimmed.
          const body = { name: name.value, persona: persona.value };
          void tried(async () => {
            const own = await ask("PATCH", "/api/companion", body);
            had = body;
            return own;
          });
        },
      },
      h("div", { class: "field portrait" }, face(88), h("div", {}, h("p", { class: "label" }, say("companion_picture")), h("div", { class: "choices" }, choose, remove), pictureHelp, file)),
      h("div", { class: "field" }, h("label", { for: "companion-name" }, say("companion_name")), name, nameHelp),
      h(
        "div",
        { class: "field" },
        h("label", { for: "companion-persona" }, say("companion_persona")),
        persona,
        h("p", { class: "hint", id: "companion-persona-help" }, say("companion_persona_help")),
      ),
      fault,
      h("div", { class: "done" }, save, icon("check"), told),
    ),
  );
}

/** @param {Blob} picture @returns {Promise<Own>} */
async function put(picture) {
  const headers = { Authorization: `Bearer ${session()?.token ?? ""}`, "Content-Type": picture.type };
  const response = await fetch("/api/companion/picture", { method: "PUT", headers, body: picture });
  const answer = await response.json();
  if (response.ok) return answer;
  const { Refusal } = await import("../wire/api.js");
  throw new Refusal(response.status, answer?.error?.code ?? "unknown", answer?.error?.message ?? response.statusText, answer);
}

/**
 * The middle of a picture as a small square. What the browser cannot read is sent as it is, and the server says what it is.
 * @param {Blob} file
 * @param {number} limit in bytes
 * @returns {Promise<Blob>}
 */
async function small(file, limit) {
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return file;
  }
  const side = Math.min(picture.width, picture.height);
  const canvas = h("canvas", { width: Math.min(SIDE, side), height: Math.min(SIDE, side) });
  const [x, y] = [(picture.width - side) / 2, (picture.height - side) / 2];
  canvas.getContext("2d")?.drawImage(picture, x, y, side, side, 0, 0, canvas.width, canvas.height);
  picture.close();
  for (const [kind, quality] of /** @type {const} */ ([["image/png", 1], ["image/webp", 0.9], ["image/jpeg", 0.85], ["image/jpeg", 0.6]])) {
    const made = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) => canvas.toBlob(resolve, kind, quality));
    // A browser that does not write a kind writes PNG in its place.
    if (made && made.size <= limit) return made;
  }
  return file;
}
