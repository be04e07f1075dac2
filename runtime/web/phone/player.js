/**
 * The page's own player, so that a companion has something to pause: three quiet pieces, made as they play.
 */

import { say } from "../lib/words.js";
import { audio, tone } from "./sounds.js";

/** Steps of a scale above a root, one a beat; a rest is null. */
const PIECES = [
  { root: 220, beat: 0.6, steps: [0, 4, 7, 11, 7, 4, 2, null] },
  { root: 174.6, beat: 0.75, steps: [0, 7, 9, 4, null, 2, 4, null] },
  { root: 196, beat: 0.5, steps: [0, 3, 7, 10, 12, 10, 7, 3] },
];

let piece = 0;
let step = 0;
let playing = false;
/** @type {ReturnType<typeof setInterval> | undefined} */
let beat;
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {() => void} listener */
export function onPlayer(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function player() {
  return { playing, piece: piece + 1, of: PIECES.length };
}

/**
 * Does as a companion says; gives what to tell it, or nothing where there is no such command.
 * @param {string} what
 */
export function command(what) {
  switch (what) {
    case "play":
      play();
      break;
    case "pause":
      pause();
      break;
    case "toggle":
      if (playing) pause();
      else play();
      break;
    case "next":
    case "previous":
      piece = (piece + (what === "next" ? 1 : PIECES.length - 1)) % PIECES.length;
      step = 0;
      play();
      break;
    case "stop":
      pause();
      piece = 0;
      step = 0;
      break;
    default:
      return null;
  }
  for (const listener of listeners) listener();
  return say(playing ? "player_plays" : "player_quiet", { piece: piece + 1 });
}

function play() {
  pause();
  playing = true;
  const current = PIECES[piece];
  if (!current) return;
  audio();
  const strike = () => {
    const note = current.steps[step % current.steps.length];
    step += 1;
    const its = audio();
    if (note === null || note === undefined) return;
    tone(current.root * 2 ** (note / 12), its.currentTime + 0.02, current.beat * 3, its.destination, 0.12);
  };
  strike();
  beat = setInterval(strike, current.beat * 1000);
}

function pause() {
  playing = false;
  clearInterval(beat);
}
