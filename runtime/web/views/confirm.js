/**
 * A question with a way back.
 */

import { h } from "../lib/dom.js";
import { say } from "../lib/words.js";

/**
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function confirm(question, yes) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { class: "ask", "aria-labelledby": "asked" },
      h("p", { id: "asked" }, question),
      h(
        "form",
        { method: "dialog", class: "answers" },
        h("button", { value: "no", autofocus: true }, say("cancel")),
        h("button", { value: "yes", class: "primary" }, yes),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    (document.querySelector("dialog[open]") ?? document.body).append(dialog);
    dialog.showModal();
  });
}
