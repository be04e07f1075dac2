// What `cargo spec model` prints is what its schema says. HANDSET_MODEL names the file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import Ajv from "ajv/dist/2020.js";

const path = process.env.HANDSET_MODEL;

test("the model is what its schema says", { skip: !path && "HANDSET_MODEL is not set" }, () => {
  const schema = JSON.parse(readFileSync(new URL("../../../specs/schema/model.schema.json", import.meta.url), "utf8"));
  const validate = new Ajv.default({ allErrors: true, allowUnionTypes: true }).compile(schema);
  const model = JSON.parse(readFileSync(path, "utf8"));
  assert.ok(validate(model), JSON.stringify(validate.errors?.slice(0, 3)));
  // The schema is closed: a key that it does not know is found.
  model.phone.actions[0].extra = 1;
  assert.ok(!validate(model));
});
