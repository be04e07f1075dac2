//! A route: what a client may ask, with what, and what it may be answered.

use super::faults::{FAULTS, Fault};
use super::shape::Member;

/// A route.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The method, in capitals.
    pub method: &'static str,
    /// The path; `{chat}` and the like stand for an id of that kind.
    pub path: &'static str,
    /// Its name, one among all routes.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Who may ask.
    pub access: Access,
    /// What may stand in the query.
    pub query: &'static [Member],
    /// Headers that mean something here.
    pub headers: &'static [Header],
    /// What may stand in the body.
    pub body: Option<Body>,
    /// What it answers where it did what was asked, and where it says more than why not.
    pub answers: &'static [Answer],
    /// The codes of what else it may answer, but for those that follow from the rest.
    pub faults: &'static [&'static str],
}

/// Who may ask.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Access {
    /// Anybody.
    Open,
    /// Who bears a token, for what is theirs.
    Signed,
    /// Who bears the operator's token.
    Operator,
}

/// A header.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// A request's body.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// One of the records, as JSON; none for bytes of one of `types`.
    pub record: Option<&'static str>,
    /// The types of content that are taken as they are.
    pub types: &'static [&'static str],
    /// Whether it has to be there.
    pub required: bool,
}

/// An answer.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// What it holds.
    pub content: Content,
    /// When it is given.
    pub doc: &'static str,
}

/// What an answer holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Content {
    /// Nothing.
    Nothing,
    /// One of the records, as JSON.
    Record(&'static str),
    /// Any object, as JSON.
    Object,
    /// Bytes of one of these types of content.
    Bytes(&'static [&'static str]),
    /// Events, one after the other.
    Stream,
}

/// A record that is answered.
pub(super) const fn json(status: u16, record: &'static str, doc: &'static str) -> Answer {
    Answer { status, content: Content::Record(record), doc }
}

/// Any object.
pub(super) const fn object(doc: &'static str) -> Answer {
    Answer { status: 200, content: Content::Object, doc }
}

/// Bytes of one of these types of content.
pub(super) const fn bytes(types: &'static [&'static str], doc: &'static str) -> Answer {
    Answer { status: 200, content: Content::Bytes(types), doc }
}

/// Done, and there is nothing to tell.
pub(super) const fn done(doc: &'static str) -> Answer {
    Answer { status: 204, content: Content::Nothing, doc }
}

/// Another protocol from here on.
pub(super) const fn switches(doc: &'static str) -> Answer {
    Answer { status: 101, content: Content::Nothing, doc }
}

/// A stream of events.
pub(super) const fn stream(doc: &'static str) -> Answer {
    Answer { status: 200, content: Content::Stream, doc }
}

/// A route for who bears a token, without anything in the request yet.
pub(super) const fn route(
    method: &'static str,
    path: &'static str,
    name: &'static str,
    doc: &'static str,
) -> Route {
    Route {
        method,
        path,
        name,
        doc,
        access: Access::Signed,
        query: &[],
        headers: &[],
        body: None,
        answers: &[],
        faults: &[],
    }
}

impl Route {
    pub(super) const fn open(self) -> Self {
        Self { access: Access::Open, ..self }
    }

    pub(super) const fn operators(self) -> Self {
        Self { access: Access::Operator, ..self }
    }

    pub(super) const fn query(self, query: &'static [Member]) -> Self {
        Self { query, ..self }
    }

    pub(super) const fn headers(self, headers: &'static [Header]) -> Self {
        Self { headers, ..self }
    }

    /// With a body that has to be there.
    pub(super) const fn body(self, record: &'static str) -> Self {
        Self { body: Some(Body { record: Some(record), types: &[], required: true }), ..self }
    }

    /// With a body of bytes, which has to be there.
    pub(super) const fn bytes(self, types: &'static [&'static str]) -> Self {
        Self { body: Some(Body { record: None, types, required: true }), ..self }
    }

    /// With a body that may be left out.
    pub(super) const fn maybe(self, record: &'static str) -> Self {
        Self { body: Some(Body { record: Some(record), types: &[], required: false }), ..self }
    }

    pub(super) const fn answers(self, answers: &'static [Answer]) -> Self {
        Self { answers, ..self }
    }

    pub(super) const fn faults(self, faults: &'static [&'static str]) -> Self {
        Self { faults, ..self }
    }

    /// The kinds of the ids in the path, in their order.
    pub fn places(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    /// Everything that it may answer in place of what was asked for: what follows from what the request is made of, and its own.
    #[must_use]
    pub fn refusals(&self) -> Vec<&'static Fault> {
        let mut codes = vec!["internal"];
        if self.access != Access::Open {
            codes.extend(["unauthorized", "too_many_requests", "store_failed", "degraded", "busy"]);
        }
        if self.access == Access::Operator {
            codes.push("operator_only");
        }
        if self.places().next().is_some() {
            // An id may hold a stroke, and the path is another one then.
            codes.extend(["not_found", "no_such_route"]);
        }
        if !self.query.is_empty() {
            codes.push("bad_query");
        }
        if let Some(body) = self.body {
            codes.extend(["too_slow", "too_large", "invalid"]);
            if body.record.is_some() {
                codes.extend(["not_json", "too_deep"]);
            }
        }
        let repeatable = self.query.iter().any(|member| member.name == "client_id");
        if repeatable {
            codes.extend(["invalid", "client_id_reused"]);
        }
        codes.extend(self.faults);
        FAULTS.iter().filter(|fault| codes.contains(&fault.code)).collect()
    }
}
