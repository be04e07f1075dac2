/**
 * What the server says on the line of a call. The compiler's type has every member as one that may be there; here each kind has its own.
 */

import type { LiveNews } from "../../../generated/clients/typescript/src/wire.d.ts";

/** A kind of frame, with what it has, and what it may have. */
type Frame<Type extends string, Has extends keyof LiveNews = never, MayHave extends keyof LiveNews = never> = { type: Type } & Required<Pick<LiveNews, Has>> &
  Pick<LiveNews, MayHave>;

export type LiveFrame =
  | Frame<"ready", "call" | "chat" | "hears" | "speech" | "soft_gain">
  | Frame<"understanding", "client_id">
  | Frame<"caption", "client_id" | "text" | "emotion" | "tone" | "feeling">
  | Frame<"nothing_heard", "client_id">
  | Frame<"fault", "client_id" | "error">
  | Frame<"turn", "turn" | "soft">
  | Frame<"piece", "turn" | "piece" | "spoken" | "shown", "language">
  | Frame<"audio", "turn" | "piece", "format" | "error">
  | Frame<"reply", "turn" | "pieces" | "message">
  | Frame<"stopped", "turn" | "message">
  | Frame<"linger", "until_ms">
  | Frame<"goes_on">
  | Frame<"ended", "by" | "record">
  | Frame<"bad", "error">;
