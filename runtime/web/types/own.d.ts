/** What the routes of the companion, the rings and the lab say, as JSON (README.md, "The API"). */

export interface Companion {
  name: string | null;
  called: string;
  persona: string | null;
  picture: { kind: string; size: number; tag: string } | null;
  limits: { name_chars: number; persona_bytes: number; picture_bytes: number };
}

export interface VoicePrint {
  samples: number;
  keep: number;
  needed: number;
  missing: number;
  since_ms: number | null;
}

export interface Reading {
  id: string;
  title: string;
  chars: number;
  bookmark: number;
  next: string;
}

export interface Spread {
  count: number;
  min_ms: number;
  median_ms: number;
  max_ms: number;
  spread_ms: number;
}

export interface Figures {
  sent_after_due: Spread | null;
  accepted_after_sent: Spread | null;
  arrived_after_due: Spread | null;
  reported_after_due: Spread | null;
  between_arrivals: Spread | null;
}

export interface RingSeen {
  sequence: number;
  due_at_ms: number | null;
  sent_at_ms: number | null;
  answered_at_ms: number | null;
  arrived_at_ms: number | null;
  outcome: string | null;
  status: number | null;
}

export interface RangDevice {
  device: string;
  name: string | null;
  rings: RingSeen[];
  figures: Figures;
}

export interface RangCall {
  invite: string;
  reason: string;
  state: string;
  created_at_ms: number;
  interval_ms: number;
  devices: RangDevice[];
  figures: Figures;
}

export interface Rings {
  verdict: {
    interval_ms: number;
    accepted: number;
    arrived: number;
    between_arrivals: Spread | null;
    code: "none" | "silent" | "few" | "lost" | "uneven" | "works";
  };
  calls: RangCall[];
  now_ms: number;
}

export interface LabRule {
  text: string;
  action?: string;
  field?: string;
  check?: string;
  what?: string;
  missing?: string[][];
}

export type LabCall = { call: Record<string, any>; dropped: string[] } | { refused: string; rule: LabRule };

export interface LabReply {
  spec: string;
  text: string;
  markers: { kind: string; argument: string | null; takes: string | null; per_conversation: number | null }[];
  plain: { text: string; why: string; kind?: string }[];
  max_chars: number;
}
