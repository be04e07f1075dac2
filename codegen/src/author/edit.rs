//! Insertions into the files of a spec. Nothing is taken out and nothing moved.

use std::collections::BTreeMap;

use super::json::{Layout, key};
use crate::read::{Node, parse, write_string};
use crate::specs::Specs;

/// Edits under way.
pub(super) struct Edit<'s> {
    specs: &'s Specs,
    roots: BTreeMap<&'s str, Node>,
    /// By file: where, what.
    insertions: BTreeMap<&'s str, Vec<(usize, String)>>,
    created: BTreeMap<String, String>,
    /// By file, the insertion and the byte of it where words stand.
    words: Vec<Pending>,
    notes: Vec<String>,
}

struct Pending {
    file: String,
    insertion: Option<usize>,
    at: usize,
    why: String,
}

/// Words that were guessed, by the byte where they stand in a file's new text.
pub(super) struct Words {
    pub(super) file: String,
    pub(super) at: usize,
    pub(super) why: String,
}

/// An insertion that was made.
#[derive(Clone, Copy)]
pub(super) struct Made<'s> {
    file: &'s str,
    index: usize,
}

impl<'s> Edit<'s> {
    pub(super) fn new(specs: &'s Specs) -> Self {
        // The check has read them all.
        let roots = specs.files.iter().filter_map(|(file, text)| Some((file.as_str(), parse(text).ok()?)));
        Self {
            specs,
            roots: roots.collect(),
            insertions: BTreeMap::new(),
            created: BTreeMap::new(),
            words: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The value at the end of these keys.
    pub(super) fn node(&self, file: &str, steps: &[&str]) -> Option<&Node> {
        steps.iter().try_fold(self.roots.get(file)?, |node, step| node.get(step))
    }

    /// Whether there is such a file.
    pub(super) fn has(&self, file: &str) -> bool {
        self.roots.contains_key(file)
    }

    /// Adds elements at the end of a list.
    pub(super) fn items(&mut self, file: &str, steps: &[&str], items: &[Node]) -> Option<Made<'s>> {
        let new: Vec<(Option<&str>, &Node)> = items.iter().map(|item| (None, item)).collect();
        self.append(file, steps, None, &new)
    }

    /// Adds a member at the end of an object, or behind the member `after`.
    pub(super) fn member(
        &mut self,
        file: &str,
        steps: &[&str],
        after: Option<&str>,
        (key, value): (&str, &Node),
    ) -> Option<Made<'s>> {
        self.append(file, steps, after, &[(Some(key), value)])
    }

    /// Adds members at the end of an object.
    pub(super) fn members(
        &mut self,
        file: &str,
        steps: &[&str],
        members: &[(String, Node)],
    ) -> Option<Made<'s>> {
        let new: Vec<(Option<&str>, &Node)> =
            members.iter().map(|(key, value)| (Some(&**key), value)).collect();
        self.append(file, steps, None, &new)
    }

    fn append(
        &mut self,
        file: &str,
        steps: &[&str],
        after: Option<&str>,
        new: &[(Option<&str>, &Node)],
    ) -> Option<Made<'s>> {
        let (file, text) = self.specs.files.get_key_value(file)?;
        let node = self.node(file, steps)?;
        let children: Vec<(usize, usize)> = match (node.as_object(), node.as_array()) {
            (Some(members), _) => members.iter().map(|m| (m.key_span.start, m.value.span.end)).collect(),
            (_, Some(items)) => items.iter().map(|item| (item.span.start, item.span.end)).collect(),
            _ => return None,
        };
        let behind = after.and_then(|key| node.as_object()?.iter().position(|member| member.key == key));
        let last = behind.or(children.len().checked_sub(1)).and_then(|index| children.get(index));
        let layout = Layout::of(text);
        let mut out = String::new();
        let at = match last {
            None => node.span.start + 1,
            Some(&(_, end)) => end,
        };
        // A neighbour that begins its line has others begin theirs.
        let indent = last.and_then(|&(start, _)| {
            let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
            let before = &text[line..start];
            (line > 0 && before.trim().is_empty()).then_some(before)
        });
        // A neighbour on one long line has others stand on one as well.
        let width = last.map_or(0, |&(start, end)| {
            let neighbour = &text[start..end];
            if neighbour.contains('\n') { 0 } else { neighbour.chars().count() + indent.map_or(0, str::len) }
        });
        for (index, (name, value)) in new.iter().enumerate() {
            let name = name.map(key).unwrap_or_default();
            match indent {
                Some(indent) => {
                    out.push_str(&format!(",{}{indent}{name}", layout.newline));
                    let column = indent.chars().count() + name.chars().count();
                    layout.within(width).write(value, indent, column, &mut out);
                }
                None => {
                    if index > 0 || last.is_some() {
                        out.push_str(", ");
                    }
                    out.push_str(&name);
                    out.push_str(&super::json::inline(value));
                }
            }
        }
        Some(self.insert(file, at, out))
    }

    fn insert(&mut self, file: &'s str, at: usize, text: String) -> Made<'s> {
        let all = self.insertions.entry(file).or_default();
        all.push((at, text));
        Made { file, index: all.len() - 1 }
    }

    /// Adds a line behind the last one of a text that begins with `- `; gives nothing where it has none.
    pub(super) fn line_of_list(&mut self, file: &str, steps: &[&str], line: &str) -> Option<Made<'s>> {
        let (file, text) = self.specs.files.get_key_value(file)?;
        let span = self.node(file, steps)?.span;
        let source = &text[span.start..span.end];
        let begins = source.rfind("\\n- ").filter(|at| !source[..*at].ends_with('\\'))?;
        let rest = &source[begins + 2..];
        let end = begins + 2 + rest.find("\\n").unwrap_or(rest.len() - 1);
        let mut written = String::new();
        write_string(&format!("\n- {line}"), &mut written);
        let inner = written[1..written.len() - 1].to_owned();
        Some(self.insert(file, span.start + end, inner))
    }

    /// Makes a file.
    pub(super) fn create(&mut self, file: &str, value: &Node) {
        let layout =
            self.specs.files.get("loop.json").map_or_else(|| Layout::of(""), |text| Layout::of(text));
        let mut text = String::new();
        // From a column where nothing fits, so that each key has its line.
        layout.write(value, "", usize::MAX / 2, &mut text);
        text.push_str(layout.newline);
        self.created.insert(file.to_owned(), text);
    }

    /// Has the author look at words: at the first place in what was inserted where `part` stands.
    pub(super) fn word(&mut self, made: Option<Made<'s>>, part: &str, why: impl Into<String>) {
        let Some(made) = made else { return };
        let inserted = self.insertions.get(made.file).and_then(|all| all.get(made.index));
        let at = inserted.and_then(|(_, text)| text.find(part)).unwrap_or(0);
        let (file, insertion) = (made.file.to_owned(), Some(made.index));
        self.words.push(Pending { file, insertion, at, why: why.into() });
    }

    /// The same for a file that was made.
    pub(super) fn word_created(&mut self, file: &str, part: &str, why: impl Into<String>) {
        let at = self.created.get(file).and_then(|text| text.find(part)).unwrap_or(0);
        self.words.push(Pending { file: file.to_owned(), insertion: None, at, why: why.into() });
    }

    /// Says something that belongs to no place.
    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The new texts, what is to be worded in them, and notes.
    pub(super) fn done(self) -> (BTreeMap<String, String>, Vec<Words>, Vec<String>) {
        let mut files = self.created;
        // Where each insertion begins in the new text.
        let mut begins: BTreeMap<(&str, usize), usize> = BTreeMap::new();
        for (file, all) in &self.insertions {
            let text = &self.specs.files[*file];
            let mut order: Vec<usize> = (0..all.len()).collect();
            order.sort_by_key(|&index| all[index].0);
            let (mut out, mut at) = (String::new(), 0);
            for index in order {
                let (place, inserted) = &all[index];
                out.push_str(&text[at..*place]);
                begins.insert((file, index), out.len());
                out.push_str(inserted);
                at = *place;
            }
            out.push_str(&text[at..]);
            files.insert((*file).to_owned(), out);
        }
        let place = |words: Pending| {
            let begin = words.insertion.and_then(|index| begins.get(&(words.file.as_str(), index)).copied());
            Words { at: begin.unwrap_or(0) + words.at, file: words.file, why: words.why }
        };
        let mut words: Vec<Words> = self.words.into_iter().map(place).collect();
        words.sort_by(|a, b| (&a.file, a.at).cmp(&(&b.file, b.at)));
        (files, words, self.notes)
    }
}
