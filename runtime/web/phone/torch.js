/**
 * The light beside a phone's camera, where a browser is let at it.
 */

import { say } from "../lib/words.js";

/** @type {MediaStream | null} */
let lit = null;

/**
 * Switches it; gives why not, where it cannot.
 * @param {boolean} on
 * @returns {Promise<string | null>}
 */
export async function torch(on) {
  if (!on) {
    off();
    return null;
  }
  if (lit) return null;
  if (!navigator.mediaDevices?.getUserMedia) return say("phone_cannot_torch");
  try {
    lit = await navigator.mediaDevices.getUserMedia({ video: { facingMode: { ideal: "environment" } } });
  } catch {
    return say("phone_no_camera");
  }
  const track = lit.getVideoTracks()[0];
  if (!track?.getCapabilities?.().torch) {
    off();
    return say("phone_cannot_torch");
  }
  try {
    await track.applyConstraints({ advanced: [{ torch: true }] });
    return null;
  } catch {
    off();
    return say("phone_cannot_torch");
  }
}

function off() {
  for (const track of lit?.getTracks() ?? []) track.stop();
  lit = null;
}
