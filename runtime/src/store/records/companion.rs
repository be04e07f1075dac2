//! Who the companion is to a person, and what a person takes along or leaves behind.

use handset_spec::Language;
use handset_spec_macros::text;

use super::{Card, InviteState, PictureKind};
use crate::ids::{DeviceId, InviteId, PersonId};

/// Who the companion is to a person. What is `None` is as the server has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Companion {
    /// What the person calls it.
    pub name: Option<String>,
    /// Who it is, in the person's words.
    pub persona: Option<String>,
    /// The picture that it has, without its bytes.
    pub picture: Option<PictureMark>,
}

impl Companion {
    /// What it is called in a language.
    #[must_use]
    pub fn called(&self, language: Language) -> &str {
        self.name.as_deref().unwrap_or(text!(call.companion in language))
    }
}

/// What is known of a picture without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureMark {
    /// Its kind.
    pub kind: PictureKind,
    /// How many bytes it has.
    pub size: i64,
    /// Another one for other bytes.
    pub tag: String,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its kind, by its content.
    pub kind: PictureKind,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Another one for other bytes.
    pub tag: String,
}

/// A change of who the companion is. What is `None` stays; what is `Some(None)` is as the server has it again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompanionChange {
    /// What it is called.
    pub name: Option<Option<String>>,
    /// Who it is.
    pub persona: Option<Option<String>>,
    /// Its picture.
    pub picture: Option<Option<Picture>>,
}

/// What went with a person, for whoever has some of it in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erased {
    /// The cards that were open.
    pub cards: Vec<Card>,
    /// The devices, the operator's own token among them.
    pub devices: Vec<DeviceId>,
    /// Under which id the operator goes on, who cannot leave their own server; nothing for everybody else.
    pub operator: Option<PersonId>,
}

/// A call that rang on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangCall {
    /// Its invite.
    pub invite: InviteId,
    /// Why it rang.
    pub reason: String,
    /// When it was made.
    pub created_ms: i64,
    /// From one ring to the next, in milliseconds.
    pub interval_ms: i64,
    /// What became of it.
    pub state: InviteState,
}
