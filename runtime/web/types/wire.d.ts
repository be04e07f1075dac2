/**
 * What the server says, as JSON: the types that the compiler makes for every client, and what this page reads in its own way.
 */

import type {
  Card as WireCard,
  FormKnob,
  FormSection,
  FormText,
  LastWords,
  ListedChat,
  Messages,
  PersonalSettings,
  UnknownEvent,
} from "../../../generated/clients/typescript/src/wire.d.ts";

export type {
  CardState,
  Clamped,
  Device,
  DeviceAdded,
  Fault,
  Invite,
  Message,
  Person,
  Ringing,
  Role,
  SettingsForm,
  SignedIn,
  Subscription,
  VoiceCall as LiveCall,
} from "../../../generated/clients/typescript/src/wire.d.ts";

/** The page notes by itself what was said last; it reads the moment as a number alone. */
export type Chat = Omit<ListedChat, "last"> & { last?: Omit<LastWords, "at"> };

export interface Place {
  lat?: number;
  lon?: number;
  query?: string;
  name?: string;
}

/**
 * What a phone carries out. The phone on this page acts on what is there, whatever the action: each has some of the fields.
 */
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

export type Card = Omit<WireCard, "call"> & { call: Call | null };

export type MessagesPage = Omit<Messages, "cards"> & { cards?: Card[] };

/** One event of the stream, or of the poll. Its data is read by its name. */
export type Happening = Omit<UnknownEvent, "id" | "data"> & { id: string; data: Record<string, any> };

/** A text that may be looked up by any language. */
type Texts = Pick<FormText, keyof FormText>;

/** What a knob's value and bounds are depends on its unit. */
export type Knob = Omit<FormKnob, "default" | "min" | "max" | "label" | "help"> & {
  default: any;
  min?: any;
  max?: any;
  label: Texts;
  help: Texts;
};

export type Section = Omit<FormSection, "label" | "knobs"> & { label: Texts; knobs: Knob[] };

/** The page shows every knob that the form has, so that sections and knobs are read by their keys. */
export type Settings = Omit<PersonalSettings, "settings"> & {
  settings: Record<string, Record<string, any>>;
};
