//! `[push]`: how phones are rung.

use reqwest::Url;

use super::given::Given;
use super::keys;
use crate::ringer::push::{self, Guard};

/// How phones are rung.
#[derive(Debug, Clone, Default)]
pub struct Push {
    /// How push services reach the operator, where they said so.
    pub subject: Option<String>,
    /// Where pushes may go.
    pub guard: Guard,
}

pub(super) fn read(given: &mut Given) -> Push {
    let subject = given.text(&keys::SUBJECT).filter(|subject| {
        let fits = is_reachable(subject);
        if !fits {
            given.wrong(&keys::SUBJECT);
            if let (Some(meant), Some(fault)) = (meant(subject), given.faults.last_mut()) {
                fault.message.push_str(&format!("; did you mean {meant:?}?"));
            }
        }
        fits
    });
    let hosts = given.list(&keys::HOSTS, push::host);
    let origins = given.list(&keys::ORIGINS, push::origin);
    Push { subject, guard: Guard::new(hosts, origins) }
}

/// Whether a push service could reach somebody by it: one `mailto:` address or one `https:` page, out in the world. Apple
/// answers others with 403, whatever else is right (P085).
#[must_use]
pub fn is_reachable(subject: &str) -> bool {
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>,\"\\".contains(&byte));
    if let Some(address) = subject.strip_prefix("mailto:") {
        return address.split_once('@').is_some_and(|(name, domain)| {
            !name.is_empty() && plain(name) && !domain.contains('@') && is_out_there(domain)
        });
    }
    let Some(url) = Url::parse(subject).ok().filter(|url| url.scheme() == "https" && plain(subject)) else {
        return false;
    };
    url.username().is_empty() && url.password().is_none() && url.host_str().is_some_and(is_out_there)
}

/// Whether a name is one of the world's names, and not of this machine or this house.
fn is_out_there(name: &str) -> bool {
    let inside = [".local", ".localhost", ".lan", ".internal", ".home.arpa", ".localdomain"];
    !name.starts_with('*') && push::host(name).is_some() && !inside.iter().any(|end| name.ends_with(end))
}

/// What a subject most likely means.
fn meant(subject: &str) -> Option<String> {
    let bare = subject.strip_prefix("mailto:").unwrap_or(subject).trim_matches(['<', '>', ' ']);
    let bare = bare.strip_prefix("http://").unwrap_or(bare);
    let meant = if bare.contains('@') { format!("mailto:{bare}") } else { format!("https://{bare}") };
    is_reachable(&meant).then_some(meant)
}
