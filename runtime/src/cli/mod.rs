//! The command line.

mod api;
mod chat;
mod house;
mod logs;
mod people;
mod phone;
mod replies;
mod sign_in;
mod try_audio;
mod try_markers;
mod try_phone;
mod try_sentences;
mod try_speech;

use std::io::{self, BufReader, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::{doctor, serve, web};

/// Gives a text-generating companion hands and a telephone.
///
/// Without a subcommand it serves: chats over HTTP, the companion's turns, and the phone's cards.
#[derive(Debug, Parser)]
#[command(name = "handset", version = version(), args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

/// Where the server listens and keeps its data.
#[derive(Debug, Args)]
struct Place {
    /// The address to listen on; port 0 takes any free one
    #[arg(long, value_name = "HOST:PORT", env = "HANDSET_LISTEN", default_value = "127.0.0.1:8787")]
    listen: String,
    /// The folder for the database and the operator's token; made where there is none
    #[arg(long, value_name = "DIR", env = "HANDSET_DATA", default_value = "data")]
    data: PathBuf,
    /// The configuration; without it handset.toml here, else the one in the data folder, if there is one
    #[arg(long, value_name = "FILE", env = "HANDSET_CONFIG")]
    config: Option<PathBuf>,
}

/// How the server runs.
#[derive(Debug, Args)]
struct ServeArgs {
    #[command(flatten)]
    place: Place,
    /// Keep the data on a network mount all the same: only where its locks hold and one server alone uses it
    #[arg(long, env = "HANDSET_ALLOW_NETWORK_MOUNT")]
    allow_network_mount: bool,
    /// Believe the addresses that a proxy before the server forwards (X-Forwarded-For); rates are counted by them
    #[arg(long, env = "HANDSET_BEHIND_PROXY", value_parser = clap::builder::BoolishValueParser::new())]
    behind_proxy: bool,
    /// How much to log to standard error: error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", env = "HANDSET_LOG", default_value = "warn")]
    log: tracing_subscriber::filter::LevelFilter,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Talk to the companion from this terminal
    ///
    /// A terminal has no phone behind it: what the companion proposes for the phone is answered as unavailable. The
    /// words go to standard output; calls and their results to standard error.
    Chat(chat::Chat),
    /// Play the app on a phone: show each card, and answer it
    ///
    /// It follows the events as a device and declares the capability with what it says, as the app does; what it confirms
    /// it does not carry out. With --say one command shows the whole way: a message, its card, the answer, the reply.
    Phone(phone::Phone),
    /// People: add one, or make a link that signs one in
    #[command(subcommand)]
    Person(people::Person),
    /// Devices: add one, list them, take one's token away
    #[command(subcommand)]
    Token(people::Token),
    /// Sign in with a link, and print the token that it gives
    SignIn(sign_in::SignIn),
    /// Try a part of the spec or of the server by itself
    #[command(subcommand)]
    Try(Try),
    /// Look at what is configured, reachable and missing, and say what to do
    ///
    /// Changes nothing, and may run beside the server. Ends with 1 where there is a problem.
    Doctor {
        #[command(flatten)]
        place: Place,
        /// Write JSON: {"ok", "findings": [{"check", "level": "ok"|"note"|"problem", "found", "todo"?}]}
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
enum Try {
    /// Read calls of the phone's tool, the arguments of one a line, and write what becomes of each
    ///
    /// Writes {"ok": {"action", "summary", FIELD: ...}} for a call that would become a card, and {"refused": "..."} with
    /// the text that the model would be given for one that would not. A line with several objects holds several calls;
    /// a blank line is a call without arguments.
    #[command(
        after_help = "Example:\n  echo '{\"action\": \"alarm\", \"time\": \"7:30\"}' | handset try phone"
    )]
    Phone,
    /// Read replies of the companion's, a JSON string a line, and write what a person would see and which markers it holds
    ///
    /// Writes {"text", "markers": [{"kind", "argument"?}]} for each line, exactly one; every marker is told, whatever its
    /// budget. A line that is no JSON string gives {"error": "..."}.
    #[command(after_help = "Example:\n  echo '\"Good night. [hangup]\"' | handset try markers")]
    Markers,
    /// Read replies of the companion's, a JSON string a line, and write the pieces that a voice would speak
    ///
    /// Writes {"pieces": [...]} for each line, exactly one: no Markdown, no emoji, and a sentence a piece. A reply is taken
    /// as it is shown, so without its markers. A line that is no JSON string gives {"error": "..."}.
    #[command(
        after_help = "Example:\n  echo '\"Dr. Vale is *here*. Shall I wake you?\"' | handset try sentences"
    )]
    Sentences {
        /// The longest piece, in characters
        #[arg(long, value_name = "CHARACTERS", default_value_t = crate::voice::sentences::LIMIT, value_parser = limit)]
        limit: usize,
    },
    /// Read a recording and write what /transcribe would answer, with the milliseconds of each stage
    ///
    /// Any container that the server takes: WebM, Ogg, MP4 or M4A, WAV, MP3, AAC, FLAC. Nothing is kept. The tone is null: it
    /// is what differs from a person's usual voice, and nobody's is known here.
    #[command(after_help = "Example:\n  handset try audio goodnight.m4a")]
    Audio(try_audio::Audio),
    /// Speak a text as a reply would be spoken, and write its pieces, with the milliseconds of each stage
    ///
    /// By the service that [speech] in handset.toml names; nothing counts against anybody's characters of the day. Ends with 1
    /// where a piece has no audio.
    #[command(after_help = "Example:\n  handset try speech \"Good night. Sleep well.\" -o night.wav")]
    Speech(try_speech::Speech),
}

/// A limit of characters for a piece.
fn limit(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|limit| *limit >= 2)
        .ok_or_else(|| "a whole number from 2 on is needed".to_owned())
}

const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Runs the command line that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    crate::tls::install();
    let cli = Cli::parse();
    match cli.command {
        Some(Command::Try(Try::Audio(audio))) => done(terminal(try_audio::run(audio, &mut io::stdout()))),
        Some(Command::Try(Try::Speech(speech))) => done(terminal(try_speech::run(speech, &mut io::stdout()))),
        Some(Command::Try(part)) => {
            let input = BufReader::with_capacity(256 * 1024, io::stdin().lock());
            let output = io::BufWriter::with_capacity(256 * 1024, io::stdout().lock());
            let tried = match part {
                Try::Phone => try_phone::run(input, output),
                Try::Markers => try_markers::run(input, output),
                Try::Sentences { limit } => try_sentences::run(input, output, limit),
                Try::Audio(_) | Try::Speech(_) => Ok(()),
            };
            match tried {
                Ok(()) => ExitCode::SUCCESS,
                // Whoever read the output has seen enough.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
                Err(error) => fail(&format!("standard input or output failed: {error}")),
            }
        }
        Some(Command::Doctor { place, json }) => {
            let options = doctor::Options { listen: place.listen, data: place.data, config: place.config };
            match doctor::run(&options, json, &mut io::stdout()) {
                Ok(true) => ExitCode::SUCCESS,
                Ok(false) => ExitCode::FAILURE,
                Err(error) => fail(&format!("the doctor could not look: {error}")),
            }
        }
        Some(Command::Chat(args)) => match terminal(chat::run(args)) {
            Ok(chat::Ended::Well) => ExitCode::SUCCESS,
            Ok(chat::Ended::Failed(message)) => fail(&message),
            // As a shell counts what a signal ended.
            Ok(chat::Ended::Left) => ExitCode::from(130),
            Err(message) => fail(&message),
        },
        Some(Command::Phone(args)) => match terminal(phone::run(args)) {
            Ok(chat::Ended::Well | chat::Ended::Left) => ExitCode::SUCCESS,
            Ok(chat::Ended::Failed(message)) | Err(message) => fail(&message),
        },
        Some(Command::Person(command)) => done(terminal(people::person(command, &mut io::stdout()))),
        Some(Command::Token(command)) => done(terminal(people::token(command, &mut io::stdout()))),
        Some(Command::SignIn(args)) => done(terminal(sign_in::run(args, &mut io::stdout()))),
        None => {
            logs::start(cli.serve.log);
            let options = serve::Options {
                listen: cli.serve.place.listen,
                data: cli.serve.place.data,
                config: cli.serve.place.config,
                allow_network_mount: cli.serve.allow_network_mount,
                web: web::Options { behind_proxy: cli.serve.behind_proxy, ..web::Options::default() },
            };
            match serve::run(options, &mut io::stdout()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => fail(&error.to_string()),
            }
        }
    }
}

/// Runs a command that talks to a server.
fn terminal<T>(command: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the command cannot start: {error}"))?;
    let outcome = runtime.block_on(command);
    // A thread may still wait for a line that nobody types any more.
    runtime.shutdown_background();
    outcome
}

fn done(outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    // Without standard error there is nobody left to tell.
    let _ = writeln!(io::stderr(), "handset: {message}");
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
