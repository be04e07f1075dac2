//! Routes and places.

use super::super::proposal::{Proposal, place, places};
use super::{Sentence, bare, names};

/// How the person travels, by the words for it; the longer ones first.
const MODES: &[(&str, &str)] = &[
    ("by public transport", "transit"),
    ("by public transit", "transit"),
    ("by transit", "transit"),
    ("by train", "transit"),
    ("by subway", "transit"),
    ("by tram", "transit"),
    ("by bus", "transit"),
    ("by bicycle", "bicycle"),
    ("by bike", "bicycle"),
    ("on my bike", "bicycle"),
    ("cycling", "bicycle"),
    ("on foot", "walk"),
    ("walking", "walk"),
    ("by foot", "walk"),
    ("by car", "drive"),
    ("driving", "drive"),
];

pub(super) fn navigate(sentence: &Sentence<'_>) -> Option<Proposal> {
    const STARTS: &[(&str, Option<&str>)] = &[
        ("take me to", None),
        ("bring me to", None),
        ("guide me to", None),
        ("get me to", None),
        ("navigate me to", None),
        ("navigate to", None),
        ("start navigation to", None),
        ("start a route to", None),
        ("route to", None),
        ("get directions to", None),
        ("give me directions to", None),
        ("directions to", None),
        ("show me the way to", None),
        ("how do i get to", None),
        ("walk me to", Some("walk")),
        ("walk to", Some("walk")),
        ("drive me to", Some("drive")),
        ("drive to", Some("drive")),
        ("cycle to", Some("bicycle")),
        ("bike to", Some("bicycle")),
        ("ride to", Some("bicycle")),
        ("take me home", None),
        ("go to", None),
    ];
    let (start, mode) = STARTS.iter().find(|(start, _)| sentence.begins(&[start]).is_some())?;
    let mut rest = sentence.begins(&[start])?.to_owned();
    if rest.is_empty() && start.ends_with("home") {
        "home".clone_into(&mut rest);
    }
    let mut mode = *mode;
    if let Some((words, name)) = MODES.iter().find(|(words, _)| Sentence::new(&rest).find(words).is_some()) {
        mode = Some(name);
        rest = without(&rest, words);
    }
    let replaces = Sentence::new(&rest).has(&["instead"]);
    if replaces {
        rest = without(&rest, "instead");
    }
    let sentence = Sentence::new(&rest);
    let (destination, stops) = sentence
        .split(&["via", "by way of", "with a stop at", "stopping at", "through"])
        .unwrap_or((&rest, ""));
    let stops: Vec<&str> = names(stops).into_iter().filter_map(bare).collect();
    Some(
        Proposal::new("navigate")
            .maybe("destination", bare(destination).map(place))
            .maybe("stops", places(&stops))
            .maybe("mode", mode)
            .maybe("replace_route", replaces.then_some(true)),
    )
}

/// The text without a phrase that it holds.
fn without(text: &str, phrase: &str) -> String {
    match Sentence::new(text).split(&[phrase]) {
        Some((before, after)) if before.is_empty() || after.is_empty() => format!("{before}{after}"),
        Some((before, after)) => format!("{before} {after}"),
        None => text.to_owned(),
    }
}

pub(super) fn add_stop(sentence: &Sentence<'_>) -> Option<Proposal> {
    const STARTS: &[&str] = &[
        "add a stop at",
        "add a stop in",
        "add a stop",
        "add stop at",
        "make a stop at",
        "stop at",
        "stop by",
    ];
    let rest = match sentence.begins(STARTS) {
        Some(rest) => rest.to_owned(),
        // `add the bakery as a stop (on the way to work)`
        None => {
            let (stop, rest) = Sentence::new(sentence.begins(&["add"])?).split(&["as a stop"])?;
            format!("{stop} {rest}")
        }
    };
    let rest = Sentence::new(&rest);
    let (stop, destination) = rest
        .split(&["on the way to", "on my way to", "on the route to", "before going to", "and then to"])
        .unwrap_or((rest.raw, ""));
    let stop = Sentence::new(stop).until(&["on the way", "on my way", "on the route"]);
    Some(
        Proposal::new("add_stop")
            .maybe("stop", bare(stop).map(place))
            .maybe("destination", bare(destination).map(place)),
    )
}

pub(super) fn search(sentence: &Sentence<'_>) -> Option<Proposal> {
    const NEAR: &[&str] =
        &["near me", "nearby", "around here", "around me", "close to me", "close by", "near here"];
    const ROUTE: &[&str] = &[
        "on the route",
        "on my route",
        "along the route",
        "along my route",
        "on the way",
        "on my way",
        "along the way",
    ];
    let rest = sentence.begins(&[
        "find me",
        "find",
        "search for",
        "search",
        "look for",
        "where is the nearest",
        "where is the next",
        "show me",
        "is there",
    ])?;
    let rest = Sentence::new(rest);
    let near = if rest.has(ROUTE) { Some("route") } else { rest.has(NEAR).then_some("me") };
    let query = [NEAR, ROUTE].concat();
    Some(Proposal::new("search_nearby").maybe("query", bare(rest.until(&query))).maybe("near", near))
}

pub(super) fn stop_navigation(sentence: &Sentence<'_>) -> Option<Proposal> {
    sentence.begins(&["stop", "end", "cancel", "quit", "exit"])?;
    let names_it = sentence.has(&["navigation", "navigating", "route", "directions", "guidance"]);
    // `stop at the bakery on the route to work` adds a stop.
    (names_it && sentence.begins(&["stop at", "stop by"]).is_none()).then(|| Proposal::new("stop_navigation"))
}
