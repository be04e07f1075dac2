/** What the server says on the line of a call. */

import type { Fault, LiveCall, Message } from "./wire.d.ts";

export type LiveFrame =
  | { type: "ready"; call: LiveCall; hears: boolean; speech: { by: "server" | "browser"; format: string | null }; soft_gain: number }
  | { type: "understanding"; client_id: string }
  | { type: "caption"; client_id: string; text: string; emotion: string | null; tone: string | null; feeling: string | null }
  | { type: "nothing_heard"; client_id: string }
  | { type: "fault"; client_id: string | null; error: Fault }
  | { type: "turn"; turn: string; soft: boolean }
  | { type: "piece"; turn: string; piece: number; spoken: string; shown: string }
  | { type: "audio"; turn: string; piece: number; format?: string; error?: { code: string; message: string } }
  | { type: "reply"; turn: string; pieces: number; message: Message | null }
  | { type: "stopped"; turn: string; message: Message | null }
  | { type: "linger"; until_ms: number }
  | { type: "goes_on" }
  | { type: "ended"; by: string; record: Message | null }
  | { type: "bad"; error: Fault };
