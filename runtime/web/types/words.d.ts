import type spec from "../../../specs/loop.json";

/** A key of the spec's section `page`: one that it does not have is an error of the type checker. */
export type Key = keyof (typeof spec)["page"]["texts"];
