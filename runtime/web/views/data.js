/**
 * What the server keeps of the person, as a sheet of the settings: taken along, or erased.
 */

import { h, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { house } from "../state/house.js";
import { Refusal, get, post } from "../wire/api.js";
import { leave, session } from "../wire/session.js";
import { reason } from "./faults.js";

export function dataSheet() {
  const told = h("p", { class: "told hint", role: "status" });
  const fault = h("p", { class: "fault", role: "alert" });
  const download = h("button", { type: "button", "aria-describedby": "export-help" }, icon("down"), say("data_export"));
  download.addEventListener("click", async () => {
    download.disabled = true;
    fault.textContent = "";
    told.textContent = say("data_exporting");
    try {
      const { file, size } = await save();
      told.textContent = say("data_exported", { file, size: Math.ceil(size / 1000) });
    } catch (error) {
      told.textContent = "";
      fault.textContent = reason(error);
    } finally {
      download.disabled = false;
    }
  });
  const erase = h("button", { type: "button", class: "danger", "aria-describedby": "erase-help", onclick: () => void ask().catch((error) => (fault.textContent = reason(error))) }, icon("trash"), say("data_erase"));
  return h(
    "section",
    { class: "sheet", "aria-labelledby": "data" },
    h("h2", { id: "data" }, say("data")),
    h("p", { class: "hint lead" }, say("data_lead")),
    h("div", { class: "field" }, download, h("p", { class: "hint", id: "export-help" }, say("data_export_help")), told, fault),
    h("div", { class: "field" }, erase, h("p", { class: "hint", id: "erase-help" }, say("data_erase_help"))),
  );
}

/** Saves the export as a file of this device's. */
async function save() {
  const headers = { Authorization: `Bearer ${session()?.token ?? ""}` };
  let response;
  let bytes;
  try {
    response = await fetch("/api/export", { headers });
    // One that breaks off fails here.
    bytes = await response.blob();
  } catch (error) {
    throw new Refusal(0, "unreachable", String(error));
  }
  if (!response.ok) throw new Refusal(response.status, "unknown", response.statusText);
  const file = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "handset.json";
  const address = URL.createObjectURL(bytes);
  h("a", { href: address, download: file }).click();
  // The browser has taken it by the next task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return { file, size: bytes.size };
}

/** Asks for the person's own name, letter by letter, before anything is erased. */
async function ask() {
  const { people, you } = await get("/api/people");
  const name = people.find((/** @type {{ id: string }} */ one) => one.id === you)?.name ?? "";
  const input = h("input", { id: "erase-name", autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
  const fault = h("p", { class: "fault", role: "alert" });
  const yes = h("button", { type: "submit", class: "danger", disabled: true }, say("data_erase_yes"));
  input.addEventListener("input", () => (yes.disabled = input.value.trim() !== name));
  const dialog = h(
    "dialog",
    { class: "ask", "aria-labelledby": "erase-asked" },
    h(
      "form",
      {
        onsubmit: async (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          yes.disabled = true;
          try {
            await post("/api/erase", { confirm: input.value });
            house.feed.stop();
            await leave();
            location.replace("/sign-in");
          } catch (error) {
            fault.textContent = reason(error);
            yes.disabled = false;
          }
        },
      },
      h("p", { id: "erase-asked" }, say("data_erase_ask", { name })),
      h("label", { for: "erase-name" }, say("data_erase_label")),
      input,
      fault,
      h("div", { class: "answers" }, h("button", { type: "button", onclick: () => dialog.close() }, say("cancel")), yes),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
