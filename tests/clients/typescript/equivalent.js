// The checks of the spec as a JSON Schema, in the form that ajv is quickest with: a branch an action, chosen by
// `discriminator`. The equivalent schema says of a call what the reader says, as far as a schema can: blanks round a value
// do not count, what is blank or empty is absent, and no text that is read, at any depth, holds half of a surrogate pair.
// The lax one leaves the last out, and so never looks at texts that are not checked; the easy one, as somebody would write
// it at first, leaves out blanks as well. Both say something else of such calls, and are quicker for it.

import { readFileSync } from "node:fs";

const tool = JSON.parse(readFileSync(new URL("../../../specs/tools/phone_action.json", import.meta.url), "utf8"));

// What is taken off the ends of a text: control characters, and White_Space.
const W = "\\u0000-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const LAX = {
  text: { type: "string", pattern: `[^${W}]` },
  string: { type: "string" },
  any: {},
  matching: (pattern) => ({ type: "string", pattern: `^[${W}]*(?:${pattern})[${W}]*$` }),
  oneOf: (values) => ({ type: "string", pattern: `^[${W}]*(?:${values.join("|")})[${W}]*$` }),
  absent: [
    { type: "null" },
    { type: "string", pattern: `^[${W}]*$` },
    { type: "array", maxItems: 0 },
    { type: "object", maxProperties: 0 },
  ],
};

const EQUIVALENT = {
  ...LAX,
  text: { type: "string", pattern: `^\\P{Cs}*[^${W}\\p{Cs}]\\P{Cs}*$` },
  string: { type: "string", pattern: "^\\P{Cs}*$" },
  any: { $ref: "#/$defs/any" },
};

// A value without half of a surrogate pair, and without a number beyond a float, which ajv tells by its type.
const $defs = {
  any: {
    type: ["string", "number", "boolean", "null", "array", "object"],
    pattern: EQUIVALENT.string.pattern,
    items: EQUIVALENT.any,
    additionalProperties: EQUIVALENT.any,
  },
};

const EASY = {
  text: { type: "string", minLength: 1 },
  string: { type: "string" },
  any: {},
  matching: (pattern) => ({ type: "string", pattern: `^(?:${pattern})$` }),
  oneOf: (values) => ({ enum: values }),
  absent: [{ type: "null" }],
};

export const equivalent = (loop) => schema(loop, EQUIVALENT);
export const lax = (loop) => schema(loop, LAX);
export const easy = (loop) => schema(loop, EASY);

function schema(loop, means) {
  const { actions, fields, required, check } = loop.phone;
  const oneOf = actions.map((action) => {
    const entries = required[action] ?? [];
    const single = entries.filter((entry) => typeof entry === "string");
    const properties = { action: { const: action } };
    if (means === EQUIVALENT) {
      properties.summary = { pattern: means.string.pattern };
      for (const field of fields[action]) properties[field] = means.any;
    }
    for (const field of single) {
      if (means !== EASY) properties[field] = { ...properties[field], not: { anyOf: means.absent } };
    }
    for (const entry of check.filter(({ field }) => fields[action].includes(field))) {
      const own = ofCheck(entry, means);
      properties[entry.field] = single.includes(entry.field) ? own : { anyOf: [own, ...means.absent] };
    }
    const branch = { type: "object", required: ["action", ...single], properties };
    const groups = entries.filter((entry) => Array.isArray(entry));
    if (groups.length > 0) branch.allOf = groups.map((group) => ({ anyOf: group.map(there) }));
    return branch;

    function there(field) {
      const present = { required: [field] };
      if (means !== EASY) present.properties = { [field]: { not: { anyOf: means.absent } } };
      return present;
    }
  });
  return { $defs, type: "object", discriminator: { propertyName: "action" }, required: ["action"], oneOf };
}

function ofCheck({ field, is, min, max, min_digits }, { any, text, string, matching, oneOf }) {
  const place = {
    ...any,
    type: "object",
    anyOf: [
      {
        required: ["lat", "lon"],
        properties: {
          lat: { type: "number", minimum: -90, maximum: 90 },
          lon: { type: "number", minimum: -180, maximum: 180 },
        },
      },
      { required: ["query"], properties: { query: text } },
      { required: ["name"], properties: { name: text } },
    ],
  };
  switch (is) {
    case "clock_time":
      return matching("([01][0-9]|2[0-3]):[0-5][0-9]");
    case "weekdays":
      return { type: "array", items: oneOf(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]) };
    case "integer":
      return { type: "integer", minimum: min, maximum: max };
    case "date_or_datetime":
      return matching("[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?");
    case "non_empty_strings":
      return { type: "array", items: text };
    case "phone_number":
      return matching(`[ +()\\-.\\/#*]*([0-9][ +()\\-.\\/#*]*){${min_digits},}`);
    case "place":
      return place;
    case "places":
      return { type: "array", items: place };
    case "schema_enum":
      return oneOf(tool.parameters.properties[field].enum);
    case "http_url":
      return matching("[hH][tT][tT][pP][sS]?:\\/\\/\\P{Cs}+");
    case "boolean":
      return { type: "boolean" };
    default:
      return { type: "object", additionalProperties: string };
  }
}
