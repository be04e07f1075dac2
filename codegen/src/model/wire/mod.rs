//! What goes between the server and a client, as data: the routes, the words, the records, the events. It is the same in every
//! spec that this compiler reads; the server's own tests hold all of it against what the server sends.

mod belongings;
mod calls;
mod cards;
mod chats;
mod codes;
mod companion;
mod devices;
mod events;
mod faults;
mod lab;
mod live;
mod messages;
mod people;
mod push;
mod readings;
mod rings;
mod route;
mod server;
mod settings;
mod shape;
mod tools;
mod voice;

pub use faults::{FAULTS, Fault};
pub use route::{Access, Answer, Body, Content, Route};
pub use shape::{Event, Member, Presence, Record, Shape, Words};

/// What belongs together: a chapter of the API.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub doc: &'static str,
    /// Its lists of words.
    pub words: &'static [Words],
    /// Its records.
    pub records: &'static [Record],
    /// Its events.
    pub events: &'static [Event],
    /// Its routes.
    pub routes: &'static [Route],
}

/// Every chapter.
pub const TOPICS: &[Topic] = &[
    faults::TOPIC,
    chats::TOPIC,
    messages::TOPIC,
    cards::TOPIC,
    calls::TOPIC,
    push::TOPIC,
    rings::TOPIC,
    people::TOPIC,
    devices::TOPIC,
    codes::TOPIC,
    settings::TOPIC,
    companion::TOPIC,
    belongings::TOPIC,
    lab::TOPIC,
    voice::TOPIC,
    live::TOPIC,
    readings::TOPIC,
    tools::TOPIC,
    server::TOPIC,
    events::TOPIC,
];

/// Every list of words.
pub fn words() -> impl Iterator<Item = &'static Words> {
    TOPICS.iter().flat_map(|topic| topic.words)
}

/// Every record.
pub fn records() -> impl Iterator<Item = &'static Record> {
    TOPICS.iter().flat_map(|topic| topic.records)
}

/// Every event.
pub fn events() -> impl Iterator<Item = &'static Event> {
    TOPICS.iter().flat_map(|topic| topic.events)
}

/// Every route, with the name of its chapter.
pub fn routes() -> impl Iterator<Item = (&'static str, &'static Route)> {
    TOPICS.iter().flat_map(|topic| topic.routes.iter().map(|route| (topic.name, route)))
}

#[cfg(test)]
mod tests;
