//! Persons, their devices, and the one-time codes that bring a device in. No secret comes here, only hashes.

use super::{CodeKind, DeviceKind};
use crate::ids::{DeviceId, PersonId};

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Their id.
    pub id: PersonId,
    /// What they are called; no two are called the same.
    pub name: String,
    /// When they came.
    pub created_ms: i64,
}

/// A person to add.
#[derive(Debug, Clone)]
pub struct NewPerson {
    /// What they are called.
    pub name: String,
    /// When they came.
    pub now_ms: i64,
}

/// Who bears a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearer {
    /// The person.
    pub person: PersonId,
    /// The token's own id.
    pub id: DeviceId,
    /// What the token is for.
    pub kind: DeviceKind,
    /// The device that the token was made for, if for one.
    pub device: Option<String>,
    /// When it was last noted that the token was used.
    pub seen_ms: Option<i64>,
}

/// The operator's token to keep; the token itself never comes here.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Whose it is.
    pub person: PersonId,
    /// SHA-256 of the token, as hexadecimal digits.
    pub hash: String,
    /// What the person calls it.
    pub name: String,
    /// The one device that bears it, if it is one's.
    pub device: Option<String>,
    /// When it was made.
    pub now_ms: i64,
}

/// A device of a person's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Its id.
    pub id: DeviceId,
    /// Whose it is.
    pub person: PersonId,
    /// What it is called; no two of a person's are called the same.
    pub name: String,
    /// What its token is for.
    pub kind: DeviceKind,
    /// When it was added.
    pub created_ms: i64,
    /// When it was last noted that it asked for something: exact to a minute.
    pub seen_ms: Option<i64>,
}

/// A device to add.
#[derive(Debug, Clone)]
pub struct NewDevice {
    /// Whose it is.
    pub person: PersonId,
    /// SHA-256 of its token, as hexadecimal digits.
    pub hash: String,
    /// What it is called.
    pub name: String,
    /// When it is added.
    pub now_ms: i64,
}

/// A one-time code to keep.
#[derive(Debug, Clone)]
pub struct NewCode {
    /// Its hash, as hexadecimal digits.
    pub hash: String,
    /// What it is for.
    pub kind: CodeKind,
    /// Whom it lets in.
    pub person: PersonId,
    /// When it was made.
    pub now_ms: i64,
    /// Until when it may be redeemed.
    pub expires_ms: i64,
}

/// A one-time code that somebody brings.
#[derive(Debug, Clone)]
pub struct Redeem {
    /// Its hash.
    pub code: String,
    /// What it has to be for.
    pub kind: CodeKind,
    /// SHA-256 of the token that the device is to bear.
    pub token: String,
    /// What the device would be called; where the person has one of this name, a number is added.
    pub name: String,
    /// The client's own id for this request. Brought again with the same token, the code gives the same device.
    pub client_id: Option<String>,
    /// When it is brought.
    pub now_ms: i64,
}

/// What a code gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redeemed {
    /// The person who is in.
    pub person: Person,
    /// The device that was added.
    pub device: Device,
}

/// A client's own id for a write, by which its repetition is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Once {
    /// The id, the person's own.
    pub client_id: String,
    /// When the write came.
    pub now_ms: i64,
}
