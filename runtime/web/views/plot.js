/**
 * The rings of a call at one device, drawn: above when each was due, below when it arrived, and a line from one to the other. Even
 * and parallel lines are an interval that works; bunched ones were merged on the way; one that ends at a cross never came.
 */

import { h } from "../lib/dom.js";
import { say } from "../lib/words.js";

const SVG = "http://www.w3.org/2000/svg";
/** How high it is, in pixels; and where its two rails and its axis are. */
const HEIGHT = 132;
const [DUE, ARRIVED, AXIS] = [26, 84, 108];
/** Beside the drawing, for half a mark and half a number. */
const EDGE = 14;

/** @typedef {import("../types/own.d.ts").RingSeen} RingSeen */

/** @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] */
function svg(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Seconds with one digit behind the point, as they are read. @param {number} ms */
export const seconds = (ms) => (ms / 1000).toFixed(Math.abs(ms) < 9_950 ? 1 : 0);

/**
 * @param {RingSeen[]} rings
 * @param {number} begins when the call began
 * @param {string} words what it shows, for who does not see it
 */
export function plot(rings, begins, words) {
  const drawn = svg("svg", { class: "plot", role: "img", "aria-label": words, height: HEIGHT });
  const element = h("div", { class: "plot-place" });
  element.append(drawn);
  const ends = Math.max(...rings.map((ring) => Math.max(ring.due_at_ms ?? 0, ring.arrived_at_ms ?? 0))) - begins;
  const whole = Math.max(4_000, ends);
  const draw = () => {
    const width = element.clientWidth;
    if (width === 0) return;
    drawn.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    drawn.setAttribute("width", String(width));
    const x = (/** @type {number} */ ms) => Math.round((EDGE + ((ms - begins) / whole) * (width - 2 * EDGE)) * 10) / 10;
    /** @type {Element[]} */
    const parts = [
      svg("line", { class: "rail", x1: EDGE, x2: width - EDGE, y1: DUE, y2: DUE }),
      svg("line", { class: "rail", x1: EDGE, x2: width - EDGE, y1: ARRIVED, y2: ARRIVED }),
    ];
    // As many numbers as there is room for.
    const step = [1, 2, 5, 10, 20, 30, 60, 120, 300].find((step) => (whole / 1000 / step) * 46 < width) ?? 600;
    for (let second = 0; second * 1000 <= whole; second += step) {
      const at = x(begins + second * 1000);
      parts.push(svg("line", { class: "tick", x1: at, x2: at, y1: ARRIVED + 12, y2: ARRIVED + 16 }), svg("text", { x: at, y: AXIS + 12, "text-anchor": "middle" }, String(second)));
    }
    for (const ring of rings) {
      const [due, arrived] = [ring.due_at_ms, ring.arrived_at_ms];
      if (due !== null && arrived !== null) parts.push(svg("line", { class: "way", x1: x(due), y1: DUE, x2: x(arrived), y2: ARRIVED }));
      if (due !== null) parts.push(svg("circle", { class: "due", cx: x(due), cy: DUE, r: 4.5 }));
      if (arrived !== null) parts.push(svg("circle", { class: "arrived", cx: x(arrived), cy: ARRIVED, r: 5 }));
      else if (due !== null) parts.push(svg("path", { class: "missing", d: `M${x(due) - 4} ${ARRIVED - 4}l8 8m0-8l-8 8` }));
    }
    drawn.replaceChildren(...parts);
  };
  new ResizeObserver(draw).observe(element);
  return element;
}

/** What the marks are. */
export function key() {
  const mark = (/** @type {string} */ name, /** @type {string} */ words) => {
    const drawn = svg("svg", { class: "plot mark", viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true" });
    drawn.append(name === "missing" ? svg("path", { class: name, d: "M3 3l8 8m0-8l-8 8" }) : svg("circle", { class: name, cx: 7, cy: 7, r: name === "due" ? 4.5 : 5 }));
    return h("span", {}, /** @type {Node} */ (drawn), words);
  };
  return h("p", { class: "plot-key hint" }, mark("due", say("rings_key_due")), mark("arrived", say("rings_key_arrived")), mark("missing", say("rings_key_missing")), h("span", { class: "axis" }, say("rings_axis")));
}
