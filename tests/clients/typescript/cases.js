// The conformance cases and the texts of the spec, read by the platform alone: not a line of what is tested is used.

import { readFileSync } from "node:fs";

const specs = new URL("../../../specs/", import.meta.url);

function read(path) {
  return readFileSync(new URL(path, specs), "utf8");
}

export const loop = JSON.parse(read("loop.json"));

/**
 * The cases of a suite. What a case holds under `key` is given as its text too, with every number as it is written.
 */
export function cases(suite) {
  const { cases } = JSON.parse(read(`conformance/${suite}.json`));
  if (cases.length === 0) throw new Error(`${suite} has no cases`);
  return cases;
}

/** The text of a suite's file. */
export function source(suite) {
  return read(`conformance/${suite}.json`);
}

/** A text with its holes filled, rendered from loop.json. */
export function text(section, key, holes = {}) {
  const template = loop[section].texts[key];
  return template.replace(/\{\{(\w+)\}\}/g, (_, hole) => holes[hole] ?? "");
}
