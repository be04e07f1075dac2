/** What the server says, as JSON (README.md, "The API"). */

export interface Chat {
  id: string;
  kind: string;
  mode: string;
  title: string | null;
  offered: boolean;
  pinned?: boolean;
  created_at: string;
  created_at_ms: number;
}

export type Role = "person" | "companion" | "call" | "result";

export interface Message {
  id: string;
  chat: string;
  turn: string;
  seq: number;
  role: Role;
  text: string;
  tool?: string;
  call_id?: string;
  capabilities?: string[];
  device?: string;
  client_id?: string;
  /** Why the words are no whole reply: `interrupted`, or the code with which the turn failed. */
  mark?: string;
  created_at: string;
  created_at_ms: number;
}

export type CardState = "pending" | "done" | "declined" | "failed" | "no_answer" | string;

export interface Place {
  lat?: number;
  lon?: number;
  query?: string;
  name?: string;
}

/** What a phone carries out. Each action has some of the fields. */
export interface Call {
  action: string;
  summary: string;
  time?: string;
  days?: string[];
  label?: string;
  seconds?: number;
  title?: string;
  start?: string;
  end?: string;
  location?: string;
  notes?: string;
  to?: string[];
  cc?: string[];
  subject?: string;
  body?: string;
  number?: string;
  destination?: Place;
  stop?: Place;
  stops?: Place[];
  mode?: string;
  query?: string;
  near?: string;
  app?: string;
  url?: string;
  command?: string;
  on?: boolean;
  panel?: string;
  name?: string;
  values?: Record<string, string>;
}

export interface Card {
  id: string;
  chat: string;
  turn: string;
  call_id: string;
  part: number;
  device: string | null;
  tool: string;
  call: Call | null;
  summary: string;
  state: CardState;
  message: string | null;
  created_at: string;
  created_at_ms: number;
  deadline: string;
  deadline_ms: number;
  closed_at?: string;
}

export interface Fault {
  code: string;
  message: string;
  hint?: string;
}

export interface Person {
  id: string;
  name: string;
}

export interface SignedIn {
  token: string;
  person: Person;
  device: { id: string; name: string };
}

export interface MessagesPage {
  messages: Message[];
  more: boolean;
  cards?: Card[];
}

export interface Invite {
  id: string;
  reason: string;
  by: string;
  state: string;
  created_at_ms: number;
  expires_at: string;
  expires_at_ms: number;
  rings: boolean;
  chat?: string;
  answered_by?: string;
  note?: string;
}

export interface LiveCall {
  id: string;
  state: string;
  began_at_ms: number;
  lingers_until_ms?: number;
  ended_at?: string;
  seconds?: number;
}

export interface Ringing {
  invite: Invite | null;
  last: Invite | null;
  call: LiveCall | null;
  poll_interval: number;
  chips: { key: string; text: string }[];
  note_max_chars: number;
  now_ms: number;
}

/** One event of the stream, or of the poll. */
export interface Happening {
  id: string;
  event: string;
  data: Record<string, any>;
}

export interface Settings {
  settings: Record<string, Record<string, any>>;
  language: string | null;
  zone: string;
  dnd: boolean;
  [key: string]: any;
}
