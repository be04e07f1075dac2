//! One of the two specs: its model, and where in its files everything stands.

use std::collections::BTreeMap;

use super::{Place, Which};
use crate::check::{check_any_version, check_older};
use crate::diagnostic::Diagnostics;
use crate::model::{Spec, Version};
use crate::read::{Node, Span, parse};
use crate::specs::Specs;

/// A checked spec with its places.
#[derive(Debug)]
pub struct Side {
    /// What its folder is called where its places are shown: `specs`, `HEAD:specs`.
    pub(super) shown: String,
    pub(super) spec: Spec,
    pub(super) texts: BTreeMap<String, String>,
    roots: BTreeMap<String, Node>,
}

impl Side {
    /// Checks a spec of whatever version; `shown` is what its folder is called where its places are shown.
    ///
    /// # Errors
    /// All its faults, below that folder.
    pub fn new(specs: Specs, shown: impl Into<String>) -> Result<Self, Diagnostics> {
        Self::checked(specs, shown.into(), check_any_version)
    }

    /// The same for a spec that an older compiler has checked: a text or number that only this one asks for may lack, and
    /// is new then in the other spec.
    ///
    /// # Errors
    /// All its faults, below that folder.
    pub fn old(specs: Specs, shown: impl Into<String>) -> Result<Self, Diagnostics> {
        Self::checked(specs, shown.into(), check_older)
    }

    fn checked(
        specs: Specs,
        shown: String,
        check: impl Fn(&Specs) -> Result<Spec, Diagnostics>,
    ) -> Result<Self, Diagnostics> {
        let spec = check(&specs).map_err(|faults| faults.shown_below(shown.clone()))?;
        let parsed = |(file, text): (&String, &String)| Some((file.clone(), parse(text).ok()?));
        let roots = specs.files.iter().filter(|(file, _)| !file.starts_with("conformance/"));
        let roots = roots.filter_map(parsed).collect();
        Ok(Self { shown, spec, texts: specs.files, roots })
    }

    /// Its version.
    pub fn version(&self) -> Version {
        self.spec.version
    }

    /// A file of it as it is shown.
    pub(super) fn file(&self, file: &str) -> String {
        match &*self.shown {
            "" => file.to_owned(),
            shown if shown.ends_with(['/', ':']) => format!("{shown}{file}"),
            shown => format!("{shown}/{file}"),
        }
    }

    /// The place of the value at the end of these keys and indices: the value itself, or its key where it is an object or
    /// a list. Where the way ends before, the last place on it.
    pub(super) fn place(&self, which: Which, file: &str, steps: &[&str]) -> Place {
        let mut span = Span::default();
        let mut pointer = String::new();
        let mut node = self.roots.get(file);
        if let Some(root) = node {
            span = root.head();
        }
        for step in steps {
            let found = node.and_then(|node| match node.as_object() {
                Some(members) => {
                    let member = members.iter().find(|member| member.key == *step)?;
                    let inside = member.value.as_object().is_some() || member.value.as_array().is_some();
                    Some((if inside { member.key_span } else { member.value.span }, &member.value))
                }
                None => {
                    let item = node.as_array()?.get(step.parse::<usize>().ok()?)?;
                    Some((item.head(), item))
                }
            });
            let Some((place, next)) = found else { break };
            (span, node) = (place, Some(next));
            pointer.push('/');
            pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        }
        Place { which, file: file.to_owned(), span, pointer }
    }
}
