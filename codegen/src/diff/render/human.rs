//! For a person: by class, each change with its place, what it was and is, and what to do.

use super::{Pages, counted};
use crate::diff::{Bump, Change, Changes, Class, Verdict, Which};

/// The advice that is none, and so is left out.
const NOTHING: &str = "Nothing has to be done.";

pub(in crate::diff) fn render(changes: &Changes<'_>, colour: bool) -> String {
    let paint = |code: &str, text: &str| {
        if colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    };
    let pages = Pages::new(changes);
    let mut out = String::new();
    for class in Class::ALL {
        let code = match class {
            Class::Client | Class::Stored => "1;31",
            Class::Reads => "1;33",
            Class::Free => "1;32",
        };
        if changes.of_class(class).next().is_some() {
            out.push_str(&format!("{}\n\n", paint(code, class.title())));
        }
        for change in changes.of_class(class) {
            write(changes, &pages, change, &paint("1", change.rule.id), &mut out);
        }
    }
    let of_version = changes.list.iter().filter(|change| change.is_of_version());
    for (index, change) in of_version.enumerate() {
        if index == 0 {
            out.push_str(&format!("{}\n\n", paint("1", "the version")));
        }
        write(changes, &pages, change, &paint("1", change.rule.id), &mut out);
    }
    out.push_str(&format!("{}\n{}\n", counted(changes), verdict(&changes.verdict)));
    out
}

fn write(changes: &Changes<'_>, pages: &Pages<'_>, change: &Change, id: &str, out: &mut String) {
    let (start, _) = pages.position(&change.place);
    let file = changes.side(change.place.which).file(&change.place.file);
    let pointer = match &*change.place.pointer {
        "" => "the whole file",
        pointer => pointer,
    };
    let which = if change.place.which == Which::Old { ", as it was" } else { "" };
    out.push_str(&format!("{id}: {}\n", change.message));
    out.push_str(&format!("  --> {file}:{}:{} at {pointer}{which}\n", start.line, start.column));
    let help = Some(&change.help).filter(|help| *help != NOTHING);
    for (name, text) in [("was", change.was.as_ref()), ("now", change.now.as_ref()), ("help", help)] {
        if let Some(text) = text {
            out.push_str(&format!("   = {name}: {text}\n"));
        }
    }
    out.push('\n');
}

/// The sentence about the version.
fn verdict(verdict: &Verdict) -> String {
    let versions = match verdict.new == verdict.old {
        true => format!("version {}", verdict.new),
        false => format!("version {}, before {}", verdict.new, verdict.old),
    };
    let asked = verdict.asked.shown();
    let said = if verdict.new < verdict.old {
        "it went back".to_owned()
    } else if verdict.asked == Bump::None {
        "nothing asks for a number".to_owned()
    } else if verdict.enough() {
        format!("enough, {asked} is asked for")
    } else if verdict.breaks {
        format!("not enough, {asked} is asked for ({})", verdict.wanted())
    } else {
        format!("{asked} is asked for ({}), and nothing breaks without it", verdict.wanted())
    };
    format!("{versions}: {said}")
}
