//! Which number the changes ask for, and whether the version has it.

use super::{Bump, Change, Class, LOOP, Side, Which, rules};
use crate::model::Version;

/// What the changes ask for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Verdict {
    /// The version before.
    pub old: Version,
    /// The version behind.
    pub new: Version,
    /// The number that the changes ask for.
    pub asked: Bump,
    /// The number that was raised; none where the version stands or was lowered.
    pub raised: Bump,
    /// Whether something breaks that depends on the spec, a lowered version too.
    pub breaks: bool,
}

impl Verdict {
    /// Whether the version was raised by what the changes ask for.
    pub fn enough(&self) -> bool {
        self.new >= self.old && self.raised >= self.asked
    }

    /// Whether a merge may go on: nothing breaks, or the version says so.
    pub fn passes(&self) -> bool {
        !self.breaks || self.enough()
    }

    /// The least version that has what is asked for.
    pub fn wanted(&self) -> Version {
        let Version { major, minor, patch } = self.old;
        match self.asked {
            Bump::None => self.old,
            Bump::Patch => Version { major, minor, patch: patch.saturating_add(1) },
            Bump::Minor => Version { major, minor: minor.saturating_add(1), patch: 0 },
            Bump::Major => Version { major: major.saturating_add(1), minor: 0, patch: 0 },
        }
    }
}

/// Judges the changes, and adds what there is to say of the version itself.
pub(super) fn judge(old: &Side, new: &Side, list: &mut Vec<Change>) -> Verdict {
    let (was, now) = (old.spec.version, new.spec.version);
    let raised = if now.major > was.major {
        Bump::Major
    } else if now <= was {
        Bump::None
    } else if now.minor > was.minor {
        Bump::Minor
    } else {
        Bump::Patch
    };
    let asked = list.iter().map(|change| change.rule.bump).max().unwrap_or(Bump::None);
    let breaks = now < was || list.iter().any(|change| change.class.breaks());
    let verdict = Verdict { old: was, new: now, asked, raised, breaks };
    let place = new.place(Which::New, LOOP, &["version"]);
    let shown = |change: Change| change.between(was.to_string(), now.to_string());
    if now < was {
        list.push(shown(Change::new(&rules::VERSION_LOWERED, place, "the version is less than it was")));
    } else if !verdict.enough() {
        let wanted = verdict.wanted();
        let worst = list.iter().filter(|change| change.rule.bump > raised).map(|change| change.class).min();
        let class = worst.unwrap_or(Class::Free);
        let message = format!("the changes ask for {}, version {wanted}", asked.shown());
        let help = match asked {
            Bump::Major => format!(
                "write \"{wanted}\", and teach the compiler that number (docs/evolution.md, “A new MAJOR”); or take back what breaks a client"
            ),
            _ => format!("write \"{wanted}\""),
        };
        let change = Change { class, ..Change::new(&rules::VERSION_NOT_RAISED, place, message).help(help) };
        list.push(shown(change));
    } else if now > was {
        list.push(shown(Change::new(&rules::VERSION_RAISED, place, "the version is raised")));
    }
    verdict
}
