//! The words of the store: enums that are kept, and sent, as one.

use serde::{Deserialize, Serialize};

/// An enum that is kept as a word.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant),*
        }

        impl $name {
            /// Every value, in the order of their meaning.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word that it is kept and sent as.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Reads the word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// What a chat is for. Only a `chat` has a person in front of it.
    Kind {
        /// A person talks with the companion.
        Chat = "chat",
        /// A schedule started it; nobody attends.
        Schedule = "schedule",
        /// Another companion started it; nobody attends.
        Subagent = "subagent",
    }
}

words! {
    /// How much a chat's companion may change by itself. No mode refuses a phone action (document 1, section 1).
    Mode {
        /// It acts.
        Act = "act",
        /// It plans and changes nothing on disk.
        Plan = "plan",
    }
}

words! {
    /// Whose words a message holds.
    Role {
        /// The person's.
        Person = "person",
        /// The companion's.
        Companion = "companion",
        /// A call of the companion's; the text is its arguments.
        Call = "call",
        /// The result of a call.
        Result = "result",
    }
}

words! {
    /// Where a turn stands.
    TurnState {
        /// It goes on, or waits for an earlier turn of its chat.
        Running = "running",
        /// Its reply is stored.
        Finished = "finished",
        /// The person stopped it; what was said by then is its reply.
        Interrupted = "interrupted",
        /// It ended without a reply.
        Failed = "failed",
    }
}

words! {
    /// Where a card stands. It leaves `pending` once.
    CardState {
        /// Waiting for the person.
        Pending = "pending",
        /// The person confirmed, and the phone carried it out.
        Done = "done",
        /// The person said no.
        Declined = "declined",
        /// The phone could not.
        Failed = "failed",
        /// No answer came in time.
        NoAnswer = "no_answer",
    }
}

words! {
    /// Where a marker's effect stands. It leaves `unheard` once, and `recorded` once.
    EffectState {
        /// Written down, and to be performed once the person has heard the words up to its place.
        Unheard = "unheard",
        /// Written down, and to be performed.
        Recorded = "recorded",
        /// Performed.
        Performed = "performed",
        /// Not performed, for a reason that stands beside it.
        Refused = "refused",
    }
}

words! {
    /// What a token is for.
    DeviceKind {
        /// A person's device, or a program that they gave a token to.
        Device = "device",
        /// The operator's own token, which stands in the data folder; with it everybody's devices can be managed.
        Operator = "operator",
    }
}

words! {
    /// What a one-time code is for.
    CodeKind {
        /// Signs a person in: 256 bits, in a link.
        Link = "link",
        /// Adds a device: short, typed by hand.
        Pairing = "pairing",
    }
}

words! {
    /// Where a call invite stands. It leaves `pending` once.
    InviteState {
        /// It rings, or has rung, and waits for an answer until it expires.
        Pending = "pending",
        /// A device took it; the call of the same id has begun.
        Accepted = "accepted",
        /// The person said no.
        Declined = "declined",
        /// Nobody answered in time.
        Expired = "expired",
        /// It was taken back before it was answered.
        Cancelled = "cancelled",
    }
}

words! {
    /// What asked for a call.
    By {
        /// A marker in the companion's reply.
        Marker = "marker",
        /// A request to the API.
        Api = "api",
        /// A long silence.
        Escalation = "escalation",
    }
}

words! {
    /// Where a call stands.
    CallState {
        /// It was answered, and the device has not been heard from since.
        Accepted = "accepted",
        /// It goes on.
        Going = "going",
        /// The companion has hung up; the device still has to say how long it was.
        HungUp = "hung_up",
        /// It is over.
        Ended = "ended",
    }
}

words! {
    /// Who ended a call.
    EndedBy {
        /// The device, which says how long it was.
        Device = "device",
        /// The server, since the device was not heard from any more.
        Server = "server",
    }
}

words! {
    /// What came of a ring at one device.
    RingOutcome {
        /// The push service took it.
        Accepted = "accepted",
        /// The push service does not know the subscription any more; it was deleted.
        Gone = "gone",
        /// The push service found it too large.
        TooLarge = "too_large",
        /// The push service wants fewer.
        Limited = "limited",
        /// The push service did not accept who sends: 401 or 403.
        Unauthorized = "unauthorized",
        /// The push service refused it in another way, or redirected it.
        Refused = "refused",
        /// The push service failed.
        ServiceFailed = "service_failed",
        /// No answer came in time.
        NoAnswer = "no_answer",
        /// The connection ended before an answer came.
        Closed = "closed",
        /// The push service could not be reached.
        Unreachable = "unreachable",
        /// Not sent: the push service had asked to be left alone for longer.
        Paused = "paused",
        /// Not sent: the ring before it was still on its way when the next one came.
        Overtaken = "overtaken",
        /// Not sent: the call was not pending any more.
        Answered = "answered",
        /// Not sent: the call's time was over.
        Expired = "expired",
        /// Not sent: the subscription was made for another server key.
        OtherKey = "other_key",
        /// Not sent: the endpoint is not one that pushes may go to.
        NotAllowed = "not_allowed",
        /// Not sent: it could not be encrypted or signed.
        NotSealed = "not_sealed",
    }
}

/// What a ring's outcome means for the subscription that it went to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Nothing: it was not sent.
    Untouched,
    /// It works.
    Works,
    /// It failed, for a reason that may pass.
    Failed,
    /// It failed, and is left alone until then, in milliseconds since the Unix epoch.
    Paused(i64),
    /// It was refused as such: several times with never a success, and it goes.
    Refused,
    /// It is gone.
    Gone,
}

words! {
    /// What kind of picture it is.
    PictureKind {
        /// PNG.
        Png = "image/png",
        /// JPEG.
        Jpeg = "image/jpeg",
        /// WebP.
        Webp = "image/webp",
    }
}
