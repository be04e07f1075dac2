//! Every key there is.

/// The kind of a key's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Number,
    Flag,
    /// Texts; in a variable, with commas between them.
    List,
}

/// A key.
#[derive(Debug)]
pub(super) struct Key {
    /// Its name, with its table's: `model.url`.
    pub(super) name: &'static str,
    /// The variable that sets it, too.
    pub(super) variable: &'static str,
    pub(super) shape: Shape,
    /// What it may be, behind "must be".
    pub(super) allowed: &'static str,
}

const fn key(name: &'static str, variable: &'static str, shape: Shape, allowed: &'static str) -> Key {
    Key { name, variable, shape, allowed }
}

/// The variables that begin so are all keys of these tables: one that is not known is a slip.
pub(super) const TABLES_VARIABLES: &[&str] =
    &["HANDSET_MODEL_", "HANDSET_PUSH_", "HANDSET_SPEECH_", "HANDSET_VOICE_"];

pub(super) const PERSONA: Key =
    key("persona", "HANDSET_PERSONA", Shape::Text, "the path of a text file that says who the companion is");
pub(super) const KIND: Key =
    key("model.kind", "HANDSET_MODEL_KIND", Shape::Text, "one of demo, openai and anthropic");
pub(super) const URL: Key = key(
    "model.url",
    "HANDSET_MODEL_URL",
    Shape::Text,
    "an address that begins with http:// or https://, such as http://127.0.0.1:11434/v1, without a name or password in it",
);
pub(super) const MODEL: Key =
    key("model.model", "HANDSET_MODEL_MODEL", Shape::Text, "the model's name as its server knows it");
pub(super) const KEY: Key = key("model.key", "HANDSET_MODEL_KEY", Shape::Text, "the key itself, as text");
pub(super) const KEY_FILE: Key = key(
    "model.key_file",
    "HANDSET_MODEL_KEY_FILE",
    Shape::Text,
    "the path of a file that holds the key alone",
);
pub(super) const KEY_ENV: Key = key(
    "model.key_env",
    "HANDSET_MODEL_KEY_ENV",
    Shape::Text,
    "the name of an environment variable that holds the key",
);
pub(super) const CONNECT: Key = key(
    "model.connect_seconds",
    "HANDSET_MODEL_CONNECT_SECONDS",
    Shape::Number,
    "a number of seconds above 0 and up to 600",
);
pub(super) const FIRST_TOKEN: Key = key(
    "model.first_token_seconds",
    "HANDSET_MODEL_FIRST_TOKEN_SECONDS",
    Shape::Number,
    "a number of seconds above 0 and up to 3600",
);
pub(super) const IDLE: Key = key(
    "model.idle_seconds",
    "HANDSET_MODEL_IDLE_SECONDS",
    Shape::Number,
    "a number of seconds above 0 and up to 3600",
);
pub(super) const RETRIES: Key =
    key("model.retries", "HANDSET_MODEL_RETRIES", Shape::Number, "a whole number from 0 to 10");
pub(super) const MAX_TOKENS: Key =
    key("model.max_tokens", "HANDSET_MODEL_MAX_TOKENS", Shape::Number, "a whole number from 1 to 10000000");
pub(super) const TEMPERATURE: Key =
    key("model.temperature", "HANDSET_MODEL_TEMPERATURE", Shape::Number, "a number from 0 to 2");
pub(super) const OWN: Key = key("model.own", "HANDSET_MODEL_OWN", Shape::Flag, "true or false");
pub(super) const SUBJECT: Key = key(
    "push.subject",
    "HANDSET_PUSH_SUBJECT",
    Shape::Text,
    "how push services reach you: mailto: and your address, or https:// and your page; nothing of this machine, since \
     Apple refuses that",
);
pub(super) const HOSTS: Key = key(
    "push.hosts",
    "HANDSET_PUSH_HOSTS",
    Shape::List,
    "a list of host names such as \"push.example.org\", or \"*.example.org\" for all hosts under one",
);
pub(super) const ORIGINS: Key = key(
    "push.origins",
    "HANDSET_PUSH_ORIGINS",
    Shape::List,
    "a list of origins of services of your own, such as \"http://127.0.0.1:4711\"",
);
pub(super) const VOICE_SECONDS: Key =
    key("voice.max_seconds", "HANDSET_VOICE_MAX_SECONDS", Shape::Number, "a whole number from 1 to 3600");
pub(super) const VOICE_MEGABYTES: Key =
    key("voice.max_megabytes", "HANDSET_VOICE_MAX_MEGABYTES", Shape::Number, "a whole number from 1 to 500");
pub(super) const EARS_KIND: Key = key(
    "voice.recogniser.kind",
    "HANDSET_VOICE_RECOGNISER_KIND",
    Shape::Text,
    "openai, for any endpoint of /v1/audio/transcriptions, or sensevoice, for a model in this process, or none",
);
pub(super) const EARS_URL: Key = key(
    "voice.recogniser.url",
    "HANDSET_VOICE_RECOGNISER_URL",
    Shape::Text,
    "an address that begins with http:// or https://, such as http://127.0.0.1:8000/v1, without a name or password in it",
);
pub(super) const EARS_PATH: Key = key(
    "voice.recogniser.path",
    "HANDSET_VOICE_RECOGNISER_PATH",
    Shape::Text,
    "the path of a folder with SenseVoice's model.int8.onnx or model.onnx, and tokens.txt",
);
pub(super) const EARS_MODEL: Key = key(
    "voice.recogniser.model",
    "HANDSET_VOICE_RECOGNISER_MODEL",
    Shape::Text,
    "the model's name as its server knows it, such as whisper-1",
);
pub(super) const EARS_KEY: Key =
    key("voice.recogniser.key", "HANDSET_VOICE_RECOGNISER_KEY", Shape::Text, "the key itself, as text");
pub(super) const EARS_KEY_FILE: Key = key(
    "voice.recogniser.key_file",
    "HANDSET_VOICE_RECOGNISER_KEY_FILE",
    Shape::Text,
    "the path of a file that holds the key alone",
);
pub(super) const EARS_KEY_ENV: Key = key(
    "voice.recogniser.key_env",
    "HANDSET_VOICE_RECOGNISER_KEY_ENV",
    Shape::Text,
    "the name of an environment variable that holds the key",
);
pub(super) const EARS_CONNECT: Key = key(
    "voice.recogniser.connect_seconds",
    "HANDSET_VOICE_RECOGNISER_CONNECT_SECONDS",
    Shape::Number,
    "a number of seconds above 0 and up to 600",
);
pub(super) const EARS_ANSWER: Key = key(
    "voice.recogniser.answer_seconds",
    "HANDSET_VOICE_RECOGNISER_ANSWER_SECONDS",
    Shape::Number,
    "a number of seconds above 0 and up to 3600",
);

pub(super) const MOUTH_PROVIDER: Key = key(
    "speech.provider",
    "HANDSET_SPEECH_PROVIDER",
    Shape::Text,
    "one of browser, elevenlabs, openai (any endpoint of /v1/audio/speech) and command",
);
pub(super) const MOUTH_URL: Key = key(
    "speech.url",
    "HANDSET_SPEECH_URL",
    Shape::Text,
    "an address that begins with http:// or https://, such as http://127.0.0.1:8880/v1, without a name or password in it",
);
pub(super) const MOUTH_VOICE: Key = key(
    "speech.voice",
    "HANDSET_SPEECH_VOICE",
    Shape::Text,
    "the voice's name or id as its service knows it",
);
pub(super) const MOUTH_MODEL: Key = key(
    "speech.model",
    "HANDSET_SPEECH_MODEL",
    Shape::Text,
    "the model's name as its service knows it, such as tts-1 or eleven_flash_v2_5",
);
pub(super) const MOUTH_KEY: Key =
    key("speech.key", "HANDSET_SPEECH_KEY", Shape::Text, "the key itself, as text");
pub(super) const MOUTH_KEY_FILE: Key = key(
    "speech.key_file",
    "HANDSET_SPEECH_KEY_FILE",
    Shape::Text,
    "the path of a file that holds the key alone",
);
pub(super) const MOUTH_KEY_ENV: Key = key(
    "speech.key_env",
    "HANDSET_SPEECH_KEY_ENV",
    Shape::Text,
    "the name of an environment variable that holds the key",
);
pub(super) const MOUTH_FORMAT: Key = key(
    "speech.format",
    "HANDSET_SPEECH_FORMAT",
    Shape::Text,
    "one of mp3, opus, aac, flac and wav; with elevenlabs one of its mp3_… and opus_…, such as mp3_44100_128",
);
pub(super) const MOUTH_COMMAND: Key = key(
    "speech.command",
    "HANDSET_SPEECH_COMMAND",
    Shape::List,
    "a list of a program and its arguments, such as [\"espeak-ng\", \"--stdin\", \"--stdout\", \"-v\", \"{language}\"]; \
     {language} and {voice} are filled in, and the words come by standard input",
);
pub(super) const MOUTH_CHARACTERS: Key = key(
    "speech.max_characters",
    "HANDSET_SPEECH_MAX_CHARACTERS",
    Shape::Number,
    "a whole number from 40 to 4000",
);
pub(super) const MOUTH_METERED: Key =
    key("speech.metered", "HANDSET_SPEECH_METERED", Shape::Flag, "true or false");
pub(super) const MOUTH_CONNECT: Key = key(
    "speech.connect_seconds",
    "HANDSET_SPEECH_CONNECT_SECONDS",
    Shape::Number,
    "a number of seconds above 0 and up to 600",
);
pub(super) const MOUTH_ANSWER: Key = key(
    "speech.answer_seconds",
    "HANDSET_SPEECH_ANSWER_SECONDS",
    Shape::Number,
    "a number of seconds above 0 and up to 3600",
);

/// The keys of a secret, of which one at most is given.
pub(super) type Secrets = [&'static Key; 3];
/// Where the model's key is.
pub(super) const MODEL_KEYS: Secrets = [&KEY, &KEY_FILE, &KEY_ENV];
/// Where the recogniser's key is.
pub(super) const EARS_KEYS: Secrets = [&EARS_KEY, &EARS_KEY_FILE, &EARS_KEY_ENV];
/// Where the speech service's key is.
pub(super) const MOUTH_KEYS: Secrets = [&MOUTH_KEY, &MOUTH_KEY_FILE, &MOUTH_KEY_ENV];
/// Every secret's keys.
pub(super) const SECRETS: [Secrets; 3] = [MODEL_KEYS, EARS_KEYS, MOUTH_KEYS];
/// Keys whose value could be a secret, and is not repeated in a fault.
pub(super) const UNTOLD: [&Key; 6] = [&KEY, &URL, &EARS_KEY, &EARS_URL, &MOUTH_KEY, &MOUTH_URL];

/// All of them.
pub(super) const ALL: &[&Key] = &[
    &PERSONA,
    &KIND,
    &URL,
    &MODEL,
    &KEY,
    &KEY_FILE,
    &KEY_ENV,
    &CONNECT,
    &FIRST_TOKEN,
    &IDLE,
    &RETRIES,
    &MAX_TOKENS,
    &TEMPERATURE,
    &OWN,
    &SUBJECT,
    &HOSTS,
    &ORIGINS,
    &VOICE_SECONDS,
    &VOICE_MEGABYTES,
    &EARS_KIND,
    &EARS_URL,
    &EARS_PATH,
    &EARS_MODEL,
    &EARS_KEY,
    &EARS_KEY_FILE,
    &EARS_KEY_ENV,
    &EARS_CONNECT,
    &EARS_ANSWER,
    &MOUTH_PROVIDER,
    &MOUTH_URL,
    &MOUTH_VOICE,
    &MOUTH_MODEL,
    &MOUTH_KEY,
    &MOUTH_KEY_FILE,
    &MOUTH_KEY_ENV,
    &MOUTH_FORMAT,
    &MOUTH_COMMAND,
    &MOUTH_CHARACTERS,
    &MOUTH_METERED,
    &MOUTH_CONNECT,
    &MOUTH_ANSWER,
];

/// The known name that a slip most likely means.
pub(crate) fn nearest<'k>(text: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let near = |name: &&str| strsim::damerau_levenshtein(text, name);
    let best = known.into_iter().min_by_key(near)?;
    (near(&best) <= text.chars().count().max(best.chars().count()) / 3).then_some(best)
}
