//! What goes over a live call's socket: JSON with a `type` in text frames, sound in the binary frame behind the one that
//! announces it.

use serde::{Deserialize, Serialize, Serializer};

use crate::gateway::view::MessageView;
use crate::ringer::view::CallView;
use crate::store::{Call, Message};
use crate::voice::tone::Emotion;

/// What a client says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Sign {
    /// Which device this is, and what it can do, for what is said from here on.
    Device {
        /// What it can do, as it comes with messages that are written.
        #[serde(default)]
        capabilities: Vec<String>,
        /// Its name, on which cards appear.
        device: Option<String>,
    },
    /// A recording follows, in one binary frame: something that the person has said.
    Utterance {
        /// The client's own id for it: said again, it is the same.
        client_id: String,
        /// The language that is spoken, where the client knows it.
        language: Option<String>,
    },
    /// Sound follows as it flows, in binary frames of 16-bit little-endian samples of one channel.
    Frames {
        /// How many samples a second has.
        rate: u32,
        /// The language that is spoken, where the client knows it.
        language: Option<String>,
    },
    /// No more sound flows.
    FramesEnd,
    /// The person has begun to speak.
    Speaking {
        /// The turn that was being played, where one was.
        turn: Option<String>,
        /// The piece of it that was being played.
        piece: Option<usize>,
        /// To which share of its length it had been played, from 0 to 1.
        share: Option<f64>,
    },
    /// A piece was played to its end.
    Played {
        /// The turn.
        turn: String,
        /// The piece.
        piece: usize,
    },
    /// The person hangs up.
    Hangup,
}

/// What the server tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum News {
    /// The line is there.
    Ready {
        /// The call.
        #[serde(serialize_with = "call_view")]
        call: Box<Call>,
        /// The chat that it goes on in: what is said stands there.
        chat: String,
        /// Whether the server turns voices into words.
        hears: bool,
        /// Who speaks.
        speech: Speech,
        /// How loud soft speech is, as a part of the usual.
        soft_gain: f64,
    },
    /// What was said is being understood.
    Understanding {
        /// The utterance.
        client_id: String,
    },
    /// What was said, in words.
    Caption {
        /// The utterance.
        client_id: String,
        /// The words.
        text: String,
        /// The feeling, where one is heard.
        emotion: Option<Emotion>,
        /// What stands out in the voice.
        tone: Option<String>,
        /// Both in words.
        feeling: Option<String>,
        /// How long it took, by stage.
        times: HeardTimes,
    },
    /// Nobody spoke, or no word was understood.
    NothingHeard {
        /// The utterance.
        client_id: String,
    },
    /// Something could not be done.
    Fault {
        /// The utterance, where it was about one.
        client_id: Option<String>,
        /// Why.
        error: Fault,
    },
    /// The companion begins to answer.
    Turn {
        /// Its turn.
        turn: String,
        /// Whether it speaks softly.
        soft: bool,
    },
    /// A piece of the answer.
    Piece {
        /// The turn.
        turn: String,
        /// Its number, from 0.
        piece: usize,
        /// The words for a voice.
        spoken: String,
        /// Their language, where something tells it.
        language: Option<String>,
        /// What of the reply it stands for.
        shown: String,
    },
    /// The sound of a piece follows in one binary frame, or does not come.
    Audio {
        /// The turn.
        turn: String,
        /// The piece.
        piece: usize,
        /// What the sound is.
        #[serde(skip_serializing_if = "Option::is_none")]
        format: Option<&'static str>,
        /// Why there is none.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Fault>,
    },
    /// The reply is whole.
    Reply {
        /// The turn.
        turn: String,
        /// How many pieces it has.
        pieces: usize,
        /// The reply as stored, where there is one.
        #[serde(serialize_with = "message_view")]
        message: Option<Box<Message>>,
        /// How long it took, by stage.
        times: SpokenTimes,
    },
    /// The person has interrupted it.
    Stopped {
        /// The turn.
        turn: String,
        /// What was heard of it, as stored.
        #[serde(serialize_with = "message_view")]
        message: Option<Box<Message>>,
    },
    /// The line lingers behind a goodbye.
    Linger {
        /// Until when, in milliseconds since the Unix epoch.
        until_ms: i64,
    },
    /// It lingers no more: somebody has spoken.
    GoesOn,
    /// The call is over; the socket closes.
    Ended {
        /// Who ended it.
        by: By,
        /// Its record, where it leaves one.
        #[serde(serialize_with = "message_view")]
        record: Option<Box<Message>>,
    },
    /// A frame that could not be read; the socket stays.
    Bad {
        /// Why.
        error: Fault,
    },
}

/// Who speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Speech {
    /// The server, whose sound follows each piece, or the client's own voice.
    pub by: Speaker,
    /// What the server's sound is.
    pub format: Option<&'static str>,
}

/// Whose voice it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The server's.
    Server,
    /// The client's.
    Browser,
}

/// Who ended a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The person, here or on another device.
    Person,
    /// The companion, behind a goodbye.
    Companion,
    /// The server, since nobody came back to the line.
    Server,
}

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// A word for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

/// How long an utterance took, in milliseconds from the arrival of its last byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct HeardTimes {
    /// Until its words were there.
    pub caption_ms: u64,
}

/// How long an answer took, in milliseconds from the end of what it answers; nothing where the stage was not reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SpokenTimes {
    /// Until the words that it answers were understood.
    pub caption_ms: Option<u64>,
    /// Until the model's first word.
    pub first_delta_ms: Option<u64>,
    /// Until the first piece was whole.
    pub first_piece_ms: Option<u64>,
    /// Until its sound was there.
    pub first_audio_ms: Option<u64>,
}

fn call_view<S: Serializer>(call: &Call, serializer: S) -> Result<S::Ok, S::Error> {
    CallView::from(call).serialize(serializer)
}

// The field's own type: serde hands it over as it is.
#[allow(clippy::ref_option)]
fn message_view<S: Serializer>(message: &Option<Box<Message>>, serializer: S) -> Result<S::Ok, S::Error> {
    message.as_deref().map(MessageView::from).serialize(serializer)
}
