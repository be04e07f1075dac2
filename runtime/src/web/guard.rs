//! Rates: how often an address may guess, and a person make secrets.

use std::net::IpAddr;

use axum::http::StatusCode;

use super::bucket::Buckets;
use super::error::ApiError;
use super::limits::Limits;
use crate::ids::PersonId;

/// The buckets of this server.
#[derive(Debug)]
pub(super) struct Guard {
    unknown_tokens: Buckets<IpAddr>,
    codes: Buckets<IpAddr>,
    codes_in_all: Buckets<()>,
    made: Buckets<PersonId>,
    tested: Buckets<PersonId>,
    utterances: Buckets<PersonId>,
}

impl Guard {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            unknown_tokens: Buckets::new(limits.unknown_tokens),
            codes: Buckets::new(limits.codes),
            codes_in_all: Buckets::new(limits.codes_in_all),
            made: Buckets::new(limits.made),
            tested: Buckets::new(limits.tested),
            utterances: Buckets::new(limits.utterances),
        }
    }

    /// A token that is not known has come from an address. One that is known always passes: a token has 256 bits, so
    /// this protects the server from work and its log from noise, and must not shut out whoever shares the address.
    pub(super) fn unknown_token(&self, address: IpAddr, now_ms: i64) -> Result<(), ApiError> {
        self.unknown_tokens.take(address, now_ms).map_err(too_many)
    }

    /// A sign-in or pairing code is about to be tried. Right ones count as well: which it is may not show before. The
    /// bound over all addresses is what makes a short code safe, as addresses are cheap.
    pub(super) fn code(&self, address: IpAddr, now_ms: i64) -> Result<(), ApiError> {
        self.codes.take(address, now_ms).map_err(too_many)?;
        self.codes_in_all.take((), now_ms).map_err(too_many)
    }

    /// A person is about to make a code or a token.
    pub(super) fn made(&self, person: &PersonId, now_ms: i64) -> Result<(), ApiError> {
        self.made.take(person.clone(), now_ms).map_err(too_many)
    }

    /// A person is about to try out whether a device rings. Push services bear with less than they are sent at most.
    pub(super) fn tested(&self, person: &PersonId, now_ms: i64) -> Result<(), ApiError> {
        self.tested.take(person.clone(), now_ms).map_err(too_many)
    }

    /// A person has said something in a call.
    pub(super) fn utterance(&self, person: &PersonId, now_ms: i64) -> Result<(), ApiError> {
        self.utterances.take(person.clone(), now_ms).map_err(too_many)
    }
}

fn too_many(wait_ms: i64) -> ApiError {
    let seconds = wait_ms.unsigned_abs().div_ceil(1000);
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "This was tried too often just now.")
        .hint("Wait as many seconds as the header Retry-After says, and try again.")
        .retry_after(seconds)
}
