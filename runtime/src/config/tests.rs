//! Each fault says where it is, what is allowed and what was meant; and no secret is ever told.

use super::*;

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("handset-config-{}", crate::ids::secret().unwrap()));
        std::fs::create_dir_all(path.join("data")).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn read(&self, environment: &[(&str, &str)]) -> Result<Config, String> {
        let environment =
            environment.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        read(None, &self.0, &self.0.join("data"), &environment)
            .map_err(|faults| faults.to_string().replace(&*self.0.to_string_lossy(), "."))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn with(text: &str) -> Result<Config, String> {
    let folder = Folder::new();
    folder.write(FILE, text);
    folder.read(&[])
}

fn remote(config: Result<Config, String>) -> RemoteModel {
    match config.unwrap().model {
        Model::Remote(remote) => *remote,
        Model::Demo => panic!("a model was configured"),
    }
}

#[test]
fn nothing_configured_is_the_demo() {
    let config = Folder::new().read(&[]).unwrap();
    assert!(matches!(config.model, Model::Demo));
    assert_eq!((config.file, config.persona), (None, None));
}

#[test]
fn a_whole_file() {
    let folder = Folder::new();
    folder.write("key.txt", "sk-1\n");
    folder.write("me.md", "\u{feff}I am Mo.\r\nReally.\r\n");
    folder.write(
        FILE,
        "persona = \"me.md\"\n[model]\nkind = \"openai\"\nurl = \"http://[::1]:11434\"\nmodel = \"m\"\n\
         key_file = \"key.txt\"\nconnect_seconds = 1.5\nfirst_token_seconds = 2\nidle_seconds = 3\nretries = 0\n\
         max_tokens = 1_000\ntemperature = 0.5\n",
    );
    let config = folder.read(&[]).unwrap();
    assert_eq!(config.persona.as_deref(), Some("I am Mo.\nReally."));
    let remote = remote(Ok(config));
    assert_eq!(remote.url.as_str(), "http://[::1]:11434/v1/chat/completions");
    assert!(remote.is_here());
    assert_eq!(remote.key.as_ref().map(Secret::expose), Some("sk-1"));
    assert_eq!((remote.max_tokens, remote.temperature), (Some(1000), Some(0.5)));
    let seconds = std::time::Duration::from_secs_f64;
    let limits = Limits { connect: seconds(1.5), first_token: seconds(2.0), idle: seconds(3.0), retries: 0 };
    assert_eq!(remote.limits, limits);
    assert!(!format!("{remote:?}").contains("sk-1"));
}

#[test]
fn the_environment_wins() {
    let folder = Folder::new();
    folder.write(
        "data/handset.toml",
        "[model]\nkind = \"openai\"\nurl = \"http://h/v1/\"\nmodel = \"m\"\nkey_file = \"none\"",
    );
    folder.write("data/persona.md", "From the data folder.");
    let config = folder.read(&[
        ("HANDSET_MODEL_MODEL", "n"),
        ("HANDSET_MODEL_KEY_ENV", "MY_KEY"),
        ("MY_KEY", "sk-2"),
        ("HANDSET_MODEL_RETRIES", "7"),
    ]);
    let config = config.unwrap();
    assert_eq!(config.persona.as_deref(), Some("From the data folder."));
    let remote = remote(Ok(config));
    assert_eq!((remote.model.as_str(), remote.limits.retries), ("n", 7));
    assert_eq!(remote.key.unwrap().expose(), "sk-2");
    assert_eq!(remote.url.as_str(), "http://h/v1/chat/completions");
}

#[test]
fn addresses_in_their_forms() {
    for (kind, url, expected) in [
        ("openai", "https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/chat/completions"),
        ("openai", "http://h/v1/chat/completions?v=1", "http://h/v1/chat/completions?v=1"),
        ("anthropic", "https://api.anthropic.com/", "https://api.anthropic.com/v1/messages"),
        ("anthropic", "https://proxy/anthropic/v1", "https://proxy/anthropic/v1/messages"),
    ] {
        let config = with(&format!("[model]\nkind = \"{kind}\"\nurl = \"{url}\"\nmodel = \"m\""));
        assert_eq!(remote(config).url.as_str(), expected);
    }
    let config = remote(with("[model]\nkind = \"anthropic\"\nmodel = \"m\""));
    assert_eq!(config.url.as_str(), "https://api.anthropic.com/v1/messages");
    assert!(config.max_tokens.is_some(), "that API wants a number");
}

#[test]
fn a_model_is_the_persons_own_at_home_and_where_they_say_so() {
    for (host, own) in [
        ("127.0.0.1:11434", true),
        ("[::1]", true),
        ("localhost", true),
        ("192.168.1.20:8080", true),
        ("10.0.0.5", true),
        ("172.16.0.1", true),
        ("[fd00::1]", true),
        ("nas.local", true),
        ("172.32.0.1", false),
        ("8.8.8.8", false),
        ("openrouter.ai", false),
        ("127.0.0.1.example.com", false),
        ("local", false),
        ("evil-local", false),
    ] {
        let file = format!("[model]\nkind = \"openai\"\nurl = \"http://{host}\"\nmodel = \"m\"\n");
        assert_eq!(remote(with(&file)).own, own, "{host}");
        for said in [true, false] {
            assert_eq!(remote(with(&format!("{file}own = {said}"))).own, said, "{host}");
        }
    }
    let error = with("[model]\nown = \"yes\"").map(|_| ()).unwrap_err();
    assert_eq!(error, "./handset.toml, line 2: model.own is \"yes\"; it must be true or false");
    let folder = Folder::new();
    folder.write(FILE, "[model]\nkind = \"openai\"\nurl = \"https://h\"\nmodel = \"m\"\nown = false");
    assert!(remote(folder.read(&[("HANDSET_MODEL_OWN", "true")])).own);
    assert!(folder.read(&[("HANDSET_MODEL_OWN", "maybe")]).is_err());
}

#[test]
fn faults_say_where_and_what() {
    for (text, expected) in [
        (
            "[model]\nkind = \"opneai\"",
            "./handset.toml, line 2: model.kind is \"opneai\"; it must be one of demo, openai and anthropic; did you mean \
             \"openai\"?",
        ),
        (
            "\n[model]\nmodle = \"x\"",
            "./handset.toml, line 3: there is no key model.modle; did you mean model.model?",
        ),
        ("[modle]\nkind = \"demo\"", "./handset.toml, line 1: there is no key modle; did you mean [model]?"),
        (
            "first_token_seconds = 2",
            "./handset.toml, line 1: there is no key first_token_seconds; did you mean model.first_token_seconds? It stands \
             under the table's heading",
        ),
        (
            "[model]\nretries = 2.5",
            "./handset.toml, line 2: model.retries is 2.5; it must be a whole number from 0 to 10",
        ),
        (
            "[model]\nidle_seconds = \"long\"",
            "./handset.toml, line 2: model.idle_seconds is \"long\"; it must be a number of seconds above 0 and up to 3600",
        ),
        (
            "[model]\ntemperature = true",
            "./handset.toml, line 2: model.temperature is true or false; it must be a number from 0 to 2",
        ),
        (
            "[model]\nkind = \"openai\"\nmodel = \"m\"",
            "./handset.toml, line 2: model.url is missing: an address that begins with http:// or https://, such as \
             http://127.0.0.1:11434/v1, without a name or password in it",
        ),
        (
            "[model]\nmodel = \"m\"",
            "./handset.toml, line 2: model.model is set, but not model.kind: it must be one of demo, openai and anthropic",
        ),
        (
            "persona = \"gone.md\"",
            "./handset.toml, line 1: the persona ./gone.md cannot be read: No such file or directory (os error 2)",
        ),
        (
            "[model]\nkind = \"demo\"\nkey = \"sk-3\"\nkey_env = \"K\"",
            "./handset.toml, line 4: give only one of model.key, model.key_file and model.key_env",
        ),
        ("[model]\nkey_env = \"GONE\"", "./handset.toml, line 2: there is no environment variable GONE"),
        (
            "model = 3",
            "./handset.toml, line 1: model is a table: write [model] and its keys on the lines below",
        ),
    ] {
        assert_eq!(with(text).map(|_| ()).unwrap_err(), expected);
    }
    let error = Folder::new().read(&[("HANDSET_MODEL_MODLE", "m")]).unwrap_err();
    assert_eq!(
        error,
        "the environment variable HANDSET_MODEL_MODLE: there is no such setting; did you mean HANDSET_MODEL_MODEL?"
    );
}

#[test]
fn push_and_where_it_may_go() {
    let push = with(
        "[push]\nsubject = \" mailto:ann@example.org\"\nhosts = [\"Push.example.org\", \"*.example.net\"]\n\
         origins = [\"http://127.0.0.1:4711/\"]",
    );
    let push = push.unwrap().push;
    assert_eq!(push.subject.as_deref(), Some("mailto:ann@example.org"));
    assert_eq!(push.guard.hosts(), ["push.example.org", "*.example.net"]);
    assert_eq!(push.guard.origins(), ["http://127.0.0.1:4711"]);
    let variables =
        [("HANDSET_PUSH_SUBJECT", "https://example.org/me"), ("HANDSET_PUSH_HOSTS", "a.example, b.example,")];
    let push = Folder::new().read(&variables).unwrap().push;
    assert_eq!(push.subject.as_deref(), Some("https://example.org/me"));
    assert_eq!(push.guard.hosts(), ["a.example", "b.example"]);
    assert!(push.guard.origins().is_empty());
    assert!(
        Folder::new()
            .read(&[("HANDSET_PUSH_HOST", "a.example")])
            .unwrap_err()
            .contains("HANDSET_PUSH_HOSTS?")
    );
}

/// P085: what Apple would refuse is found at the start, with what was meant.
#[test]
fn p085_a_subject_that_nobody_can_be_reached_by() {
    for (subject, meant) in [
        ("me@example.com", Some("mailto:me@example.com")),
        ("mailto:<me@example.com>", Some("mailto:me@example.com")),
        ("example.com", Some("https://example.com")),
        ("mailto:me", None),
        ("mailto:me@localhost", None),
        ("mailto:me@host.local", None),
        ("mailto:@example.com", None),
        ("mailto:me@example.com,you@example.com", None),
        ("mailto:me@192.168.1.1", None),
        ("http://example.com", Some("https://example.com")),
        ("https://localhost", None),
        ("https://localhost:8787", None),
        ("https://192.168.1.7", None),
        ("https://[::1]/", None),
        ("https://nas", None),
        ("https://nas.local/", None),
        ("tel:110", None),
    ] {
        let error = with(&format!("[push]\nsubject = \"{subject}\"")).unwrap_err();
        assert!(error.starts_with("./handset.toml, line 2: push.subject is "), "{error}");
        match meant {
            Some(meant) => assert!(error.ends_with(&format!("did you mean {meant:?}?")), "{error}"),
            None => assert!(!error.contains("did you mean"), "{error}"),
        }
    }
    for (text, told) in [
        (
            "hosts = \"push.example.org\"",
            "push.hosts is \"push.example.org\"; it must be a list of host names",
        ),
        ("hosts = [1]", "push.hosts is a list that holds more than texts; it must be"),
        ("hosts = [\"a.example\", \"10.0.0.5\", \"https://b\"]", "the configuration has 2 faults:"),
        ("origins = [\"10.0.0.5\"]", "push.origins holds \"10.0.0.5\"; it must be a list of origins"),
        (
            "subject = [\"mailto:me@example.com\"]",
            "push.subject is a list; it must be how push services reach you",
        ),
        ("topic = 1", "there is no key push.topic; the keys are push.subject, push.hosts, push.origins"),
    ] {
        let error = with(&format!("[push]\n{text}")).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn all_faults_at_once_and_no_secret_in_any() {
    let error =
        with("[model]\nkind = \"x\"\nurl = \"http://me:sk-4@h\"\nretries = -1\nnope = 1").unwrap_err();
    assert!(error.starts_with("the configuration has 4 faults:"), "{error}");
    for text in
        ["[model]\nkey = \"sk-4", "[model]\nkey = [\"sk-4\"]", "[model]\nkey = 4\nkey_file = \"sk-4\""]
    {
        let error = with(text).unwrap_err();
        assert!(!error.contains("sk-4") || text.contains("key_file"), "{error}");
    }
    assert!(!error.contains("sk-4"), "{error}");
}

#[test]
fn a_recogniser_is_described_like_a_model() {
    let voice = with(
        "[voice]\nmax_seconds = 60\n[voice.recogniser]\nkind = \"openai\"\nurl = \"http://127.0.0.1:8000\"\nmodel = \"whisper-1\"\n\
         key = \"sk-9\"\nanswer_seconds = 1.5\n",
    )
    .unwrap()
    .voice;
    assert_eq!((voice.limits.seconds, voice.limits.megabytes), (60, 25));
    let Some(Recogniser::Remote(recogniser)) = voice.recogniser else { panic!("an endpoint was named") };
    assert_eq!(recogniser.url.as_str(), "http://127.0.0.1:8000/v1/audio/transcriptions");
    assert_eq!((recogniser.model.as_str(), recogniser.key.unwrap().expose()), ("whisper-1", "sk-9"));
    assert_eq!(recogniser.answer, std::time::Duration::from_millis(1_500));
    let none = with("[voice.recogniser]\nkind = \"none\"\n").unwrap().voice;
    assert!(none.recogniser.is_none());
    assert!(Folder::new().read(&[]).unwrap().voice.recogniser.is_none());

    let environment = [
        ("HANDSET_VOICE_RECOGNISER_KIND", "openai"),
        ("HANDSET_VOICE_RECOGNISER_URL", "https://example.org/v1/audio/transcriptions"),
        ("HANDSET_VOICE_RECOGNISER_MODEL", "m"),
    ];
    let Some(Recogniser::Remote(recogniser)) = Folder::new().read(&environment).unwrap().voice.recogniser
    else {
        panic!("an endpoint was named")
    };
    assert_eq!(recogniser.url.as_str(), "https://example.org/v1/audio/transcriptions");
}

#[test]
fn a_recogniser_may_be_a_folder() {
    let folder = Folder::new();
    folder.write(FILE, "[voice.recogniser]\nkind = \"sensevoice\"\npath = \"models/sv\"\n");
    let Some(Recogniser::SenseVoice(path)) = folder.read(&[]).unwrap().voice.recogniser else {
        panic!("a folder was named")
    };
    assert_eq!(path, folder.0.join("models/sv"));
    let fault = with("[voice.recogniser]\nkind = \"sensevoice\"\n").unwrap_err();
    assert!(fault.contains("voice.recogniser.path is missing"), "{fault}");
}

#[test]
fn faults_of_a_recogniser_are_told() {
    let told = |text: &str| with(text).unwrap_err();
    let fault = told("[voice.recogniser]\nurl = \"http://127.0.0.1:8000\"\n");
    assert!(fault.contains("line 2: voice.recogniser.url is set, but not voice.recogniser.kind"), "{fault}");
    let fault = told("[voice.recogniser]\nkind = \"openai\"\n");
    assert!(
        fault.contains("voice.recogniser.url is missing") && fault.contains("model is missing"),
        "{fault}"
    );
    let fault = told("[voice.recogniser]\nkind = \"whisper\"\n");
    assert!(fault.contains("voice.recogniser.kind is \"whisper\"; it must be openai"), "{fault}");
    let fault = told("[voice.recogniser]\nmodle = \"m\"\n");
    assert!(
        fault.contains("there is no key voice.recogniser.modle; did you mean voice.recogniser.model?"),
        "{fault}"
    );
    let fault = told("[voice.recognizer]\nkind = \"openai\"\n");
    assert!(fault.contains("did you mean [voice.recogniser]?"), "{fault}");
    let fault = told("[voice]\nmax_seconds = 0\n");
    assert!(fault.contains("voice.max_seconds is 0; it must be a whole number from 1 to 3600"), "{fault}");
    let fault = told(
        "[voice.recogniser]\nkind = \"openai\"\nmodel = \"m\"\nurl = \"ftp://s3cret\"\nkey = \"a\"\nkey_env = \"B\"\n",
    );
    assert!(!fault.contains("s3cret") && fault.contains("give only one of voice.recogniser.key,"), "{fault}");
}

fn speech(text: &str) -> Speech {
    with(&format!("[speech]\n{text}")).unwrap().speech
}

fn service(text: &str) -> RemoteSpeech {
    match speech(text) {
        Speech::Remote(remote) => *remote,
        other => panic!("{other:?}"),
    }
}

#[test]
fn replies_are_spoken_by_the_browser_where_nothing_is_named() {
    assert!(matches!(Folder::new().read(&[]).unwrap().speech, Speech::Browser));
    assert!(matches!(speech("provider = \"browser\""), Speech::Browser));
}

#[test]
fn speech_services_in_their_forms() {
    let remote = service("provider = \"elevenlabs\"\nvoice = \"a/b\"\nkey = \"sk-9\"");
    assert_eq!(remote.url.as_str(), "https://api.elevenlabs.io/v1/text-to-speech/a%2Fb/stream");
    assert_eq!((remote.model.as_str(), remote.format_word.as_str()), ("eleven_flash_v2_5", "mp3_44100_128"));
    assert!(remote.metered, "it costs something");
    assert!(!format!("{remote:?}").contains("sk-9"));
    for (provider, url, expected) in [
        ("elevenlabs", "http://h", "http://h/v1/text-to-speech/v/stream"),
        ("elevenlabs", "http://h/v1/", "http://h/v1/text-to-speech/v/stream"),
        ("elevenlabs", "http://h/p/v1/text-to-speech/w/stream", "http://h/p/v1/text-to-speech/v/stream"),
        ("openai", "http://h", "http://h/v1/audio/speech"),
        ("openai", "http://h/api/v1/", "http://h/api/v1/audio/speech"),
        ("openai", "http://h/v1/audio/speech", "http://h/v1/audio/speech"),
    ] {
        let remote =
            service(&format!("provider = \"{provider}\"\nvoice = \"v\"\nmodel = \"m\"\nurl = \"{url}\""));
        assert_eq!(remote.url.as_str(), expected, "{url}");
    }
    let base = "provider = \"openai\"\nvoice = \"v\"\nmodel = \"m\"\nurl = \"http://127.0.0.1:8880\"\n";
    let remote = service(base);
    assert!(!remote.metered, "it runs at home");
    assert_eq!((remote.format.mime(), remote.max_characters), ("audio/mpeg", sentences_limit()));
    let remote =
        service(&format!("{base}metered = true\nformat = \"wav\"\nmax_characters = 200\nanswer_seconds = 5"));
    assert_eq!((remote.format.mime(), remote.max_characters, remote.metered), ("audio/wav", 200, true));
    assert_eq!(remote.answer, std::time::Duration::from_secs(5));
}

fn sentences_limit() -> usize {
    crate::voice::sentences::LIMIT
}

#[test]
fn a_command_that_speaks() {
    let text = "provider = \"command\"\ncommand = [\"piper\", \"--model\", \"{language}-{voice}.onnx\"]\nvoice = \"mo\"";
    let Speech::Command(command) = speech(text) else { panic!("a command was configured") };
    assert_eq!((command.program.as_str(), command.arguments.len()), ("piper", 2));
    assert_eq!((command.voice.as_deref(), command.metered), (Some("mo"), false));
    // In the environment, with commas.
    let config = Folder::new().read(&[
        ("HANDSET_SPEECH_PROVIDER", "command"),
        ("HANDSET_SPEECH_COMMAND", "espeak-ng, --stdin, --stdout"),
    ]);
    let Speech::Command(command) = config.unwrap().speech else { panic!("a command was configured") };
    assert_eq!((command.program.as_str(), command.arguments.len()), ("espeak-ng", 2));
}

#[test]
fn faults_of_speech_are_told_at_once() {
    let told = |text: &str| with(&format!("[speech]\n{text}")).unwrap_err();
    for (text, expected) in [
        ("provider = \"elevenlab\"", vec!["did you mean \"elevenlabs\"?"]),
        ("provider = \"elevenlabs\"", vec!["speech.voice is missing"]),
        (
            "provider = \"openai\"",
            vec!["speech.url is missing", "speech.model is missing", "speech.voice is missing"],
        ),
        ("provider = \"command\"", vec!["speech.command is missing"]),
        ("voice = \"v\"", vec!["speech.voice is set, but not speech.provider"]),
        (
            "provider = \"command\"\ncommand = [\"say\", \"{text}\"]",
            vec!["holds \"{text}\"", "standard input"],
        ),
        ("provider = \"command\"\ncommand = [\"say\", \"{voice}\"]", vec!["speech.voice is missing"]),
        ("provider = \"command\"\ncommand = \"say\"", vec!["speech.command is \"say\""]),
        ("provider = \"elevenlabs\"\nvoice = \"v\"\nformat = \"pcm_16000\"", vec!["speech.format is"]),
        ("max_characters = 10", vec!["from 40 to 4000"]),
        ("metered = 1", vec!["speech.metered"]),
        ("vioce = \"v\"", vec!["did you mean speech.voice?"]),
    ] {
        let told = told(text);
        for expected in expected {
            assert!(told.contains(expected), "{text}: {told}");
        }
    }
    let told = told("provider = \"openai\"\nurl = \"http://user:sk-8@h\"\nkey = \"\"");
    assert!(!told.contains("sk-8"), "{told}");
}
