//! The routes, by path, with everything that each may answer.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Member, Named, name};
use crate::model::wire::{self, Access, Content, Route};

/// A chapter of the routes.
#[derive(Debug, Serialize)]
pub struct Topic {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub doc: &'static str,
}

/// A path.
#[derive(Debug, Serialize)]
pub struct Path {
    /// The path; `{chat}` and the like stand for an id of that kind.
    pub path: &'static str,
    /// The places in it, in their order.
    pub places: Vec<Place>,
    /// What may be asked there.
    pub operations: Vec<Operation>,
}

/// A place in a path.
#[derive(Debug, Serialize)]
pub struct Place {
    /// Its name.
    pub name: &'static str,
    /// What stands there.
    pub doc: String,
}

/// A route: a method at a path.
#[derive(Debug, Serialize)]
pub struct Operation {
    /// The method, in small letters.
    pub method: String,
    /// Its name, one among all.
    pub name: Named,
    /// The name of its chapter.
    pub topic: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Who may ask: `open`, `signed`, `operator`.
    pub access: &'static str,
    /// What may stand in the query.
    pub query: Vec<Member>,
    /// Headers that mean something there.
    pub headers: Vec<Header>,
    /// What may stand in the body; else null.
    pub body: Option<Body>,
    /// What it may answer, by status.
    pub answers: Vec<Answer>,
}

/// A header.
#[derive(Debug, Serialize)]
pub struct Header {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// A request's body.
#[derive(Debug, Serialize)]
pub struct Body {
    /// The name of the record; null where it is bytes.
    pub record: Option<Named>,
    /// The types of content that are taken as bytes.
    pub types: &'static [&'static str],
    /// Whether it has to be there.
    pub required: bool,
}

/// An answer.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// When it is given.
    pub doc: &'static str,
    /// `nothing`, `record`, `object`, `bytes`, `stream`.
    pub content: &'static str,
    /// The types of content of bytes.
    pub types: &'static [&'static str],
    /// The name of the record; else null.
    pub record: Option<Named>,
    /// The codes that its error may bear; for an error, all of them.
    pub codes: Vec<Code>,
    /// Whether it tells by `Retry-After` how long to wait.
    pub retry_after: bool,
}

/// A code of an error.
#[derive(Debug, Serialize)]
pub struct Code {
    /// The code.
    pub code: &'static str,
    /// When it comes.
    pub doc: &'static str,
}

pub(super) fn topics() -> Vec<Topic> {
    let told = wire::TOPICS.iter().filter(|topic| !topic.routes.is_empty());
    told.map(|topic| Topic { name: topic.name, doc: topic.doc }).collect()
}

pub(super) fn paths() -> Vec<Path> {
    let mut paths: Vec<Path> = Vec::new();
    for (topic, route) in wire::routes() {
        let operation = operation(topic, route);
        match paths.iter_mut().find(|path| path.path == route.path) {
            Some(path) => path.operations.push(operation),
            None => {
                let places = route.places().map(|name| Place { name, doc: format!("The {name}'s id.") });
                paths.push(Path { path: route.path, places: places.collect(), operations: vec![operation] });
            }
        }
    }
    paths
}

fn operation(topic: &'static str, route: &Route) -> Operation {
    Operation {
        method: route.method.to_ascii_lowercase(),
        name: name::own(route.name),
        topic,
        doc: route.doc,
        access: match route.access {
            Access::Open => "open",
            Access::Signed => "signed",
            Access::Operator => "operator",
        },
        query: route.query.iter().map(Member::new).collect(),
        headers: route.headers.iter().map(|header| Header { name: header.name, doc: header.doc }).collect(),
        body: route.body.map(|body| Body {
            record: body.record.map(name::own),
            types: body.types,
            required: body.required,
        }),
        answers: answers(route),
    }
}

/// One answer a status: the route's own, and an error's where it has none for that status.
fn answers(route: &Route) -> Vec<Answer> {
    let mut codes: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for fault in route.refusals() {
        codes.entry(fault.status).or_default().push(Code { code: fault.code, doc: fault.doc });
    }
    let own = |status: u16| route.answers.iter().find(|answer| answer.status == status);
    let statuses: BTreeSet<u16> =
        route.answers.iter().map(|answer| answer.status).chain(codes.keys().copied()).collect();
    let answer = |status| {
        let codes = codes.remove(&status).unwrap_or_default();
        let (doc, content) = own(status)
            .map_or(("It is not done.", Content::Record("refused")), |answer| (answer.doc, answer.content));
        let (content, record) = match content {
            Content::Nothing => ("nothing", None),
            Content::Record(record) => ("record", Some(name::own(record))),
            Content::Object => ("object", None),
            Content::Bytes(_) => ("bytes", None),
            Content::Stream => ("stream", None),
        };
        let types = own(status).map_or(&[][..], |answer| match answer.content {
            Content::Bytes(types) => types,
            _ => &[],
        });
        let retry_after =
            codes.iter().any(|code| ["too_many_requests", "too_many_exports"].contains(&code.code));
        Answer { status, doc, content, types, record, codes, retry_after }
    };
    statuses.into_iter().map(answer).collect()
}
