/**
 * Why something was not done, in the person's words.
 */

import { say, sayOr } from "../lib/words.js";
import { Refusal } from "../wire/api.js";

/** @param {unknown} error */
export function reason(error) {
  if (!(error instanceof Refusal)) return say("fault_unknown", { reason: String(error) });
  return sayOr(`fault_${error.code}`, "fault_unknown", { reason: error.message });
}
