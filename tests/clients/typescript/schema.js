// The schema that accepts what the reader accepts, for benchmarks in other languages: `node schema.js [lax]`. Without
// `discriminator`, which is no word of JSON Schema: a schema an action, chosen by its name.

import { loop } from "./cases.js";
import { equivalent, lax } from "./equivalent.js";

const { $defs, oneOf } = process.argv[2] === "lax" ? lax(loop) : equivalent(loop);
const branches = oneOf.map((branch) => [branch.properties.action.const, { $defs, ...branch }]);
console.log(JSON.stringify(Object.fromEntries(branches)));
