/**
 * What the server keeps of the person's voice, as a sheet of the settings: how much there is, what is missing, and a way to
 * have it forgotten.
 */

import { fill, h, icon } from "../lib/dom.js";
import { brief } from "../lib/time.js";
import { say } from "../lib/words.js";
import { ask, get } from "../wire/api.js";
import { confirm } from "./confirm.js";
import { reason } from "./faults.js";

/** @typedef {import("../types/own.d.ts").VoicePrint} Print */

export function voiceSheet() {
  const told = h("div", { role: "status" });
  const fault = h("p", { class: "fault", role: "alert" });
  const forget = h("button", { type: "button", class: "danger", hidden: true, onclick: () => void erase() }, icon("trash"), say("voice_forget"));
  const show = (/** @type {Print} */ print) => {
    const { samples, missing, keep, since_ms: since } = print;
    fill(
      told,
      h("p", {}, since === null ? say("voice_none") : say("voice_samples", { samples, keep, moment: brief(since) })),
      h("p", { class: "hint" }, missing > 0 ? say("voice_missing", { missing }) : say("voice_enough")),
    );
    forget.hidden = samples === 0;
  };
  const tried = async (/** @type {() => Promise<Print>} */ act) => {
    fault.textContent = "";
    try {
      show(await act());
    } catch (error) {
      fault.textContent = reason(error);
    }
  };
  const erase = async () => {
    if (await confirm(say("voice_forget_ask"), say("voice_forget"))) await tried(() => ask("DELETE", "/api/voice/print"));
  };
  void tried(() => get("/api/voice/print"));
  return h(
    "section",
    { class: "sheet", "aria-labelledby": "voiceprint" },
    h("h2", { id: "voiceprint" }, say("voice_print")),
    h("p", { class: "hint lead" }, say("voice_print_lead")),
    h("div", { class: "field" }, told, forget, fault),
  );
}
