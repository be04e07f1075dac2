// The checks of the spec as a JSON Schema, as somebody would write it who had no compiler, in the form that ajv is
// quickest with: a branch an action, chosen by `discriminator`. It takes the easy road where the spec is subtle (blanks,
// empty values), which makes it quicker, not slower.

import { readFileSync } from "node:fs";

const tool = JSON.parse(readFileSync(new URL("../../../specs/tools/phone_action.json", import.meta.url), "utf8"));

export function schema(loop) {
  const { actions, fields, required, check } = loop.phone;
  const oneOf = actions.map((action) => {
    const entries = required[action] ?? [];
    const single = entries.filter((entry) => typeof entry === "string");
    const groups = entries.filter((entry) => Array.isArray(entry));
    const properties = { action: { const: action } };
    for (const entry of check.filter(({ field }) => fields[action].includes(field))) {
      const own = ofCheck(entry);
      properties[entry.field] = single.includes(entry.field) ? own : { anyOf: [{ type: "null" }, own] };
    }
    const branch = { type: "object", required: ["action", ...single], properties };
    if (groups.length > 0) {
      branch.allOf = groups.map((group) => ({ anyOf: group.map((field) => ({ required: [field] })) }));
    }
    return branch;
  });
  return { type: "object", discriminator: { propertyName: "action" }, required: ["action"], oneOf };
}

const text = { type: "string", minLength: 1 };
const place = {
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

function ofCheck({ field, is, min, max }) {
  switch (is) {
    case "clock_time":
      return { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" };
    case "weekdays":
      return { type: "array", items: { enum: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] } };
    case "integer":
      return { type: "integer", minimum: min, maximum: max };
    case "date_or_datetime":
      return { type: "string", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?$" };
    case "non_empty_strings":
      return { type: "array", items: text };
    case "phone_number":
      return { type: "string", pattern: "^[ +()\\-./#*]*([0-9][ +()\\-./#*]*){3,}$" };
    case "place":
      return place;
    case "places":
      return { type: "array", items: place };
    case "schema_enum":
      return { enum: tool.parameters.properties[field].enum };
    case "http_url":
      return { type: "string", pattern: "^[hH][tT][tT][pP][sS]?://." };
    case "boolean":
      return { type: "boolean" };
    default:
      return { type: "object", additionalProperties: { type: "string" } };
  }
}
