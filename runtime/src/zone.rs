//! Time zones by their IANA names, from the data that is built into the program: the same on every machine, whatever is
//! installed there.

use jiff::tz::{TimeZone, db};

/// The zone of a person who has chosen none.
pub const DEFAULT: &str = "UTC";

/// A zone by its name, whatever its case, with the name as it is written.
#[must_use]
pub fn named(name: &str) -> Option<(String, TimeZone)> {
    let zone = db().get(name.trim()).ok().filter(|zone| !zone.is_unknown())?;
    Some((zone.iana_name()?.to_owned(), zone))
}

/// A zone that was named once. One that is not known any more is UTC: hours that are off are better than none.
#[must_use]
pub fn or_utc(name: &str) -> TimeZone {
    named(name).map_or(TimeZone::UTC, |(_, zone)| zone)
}

/// The name that a slip most likely means: a whole name, or the last part of one (`Shanghai`).
#[must_use]
pub fn nearest(slip: &str) -> Option<String> {
    let slip = slip.trim().to_lowercase().replace(' ', "_");
    // A name that nobody would type in full is no slip, and comparing is not free.
    if slip.is_empty() || slip.chars().count() > 64 {
        return None;
    }
    let names: Vec<String> = db().available().map(|name| name.to_string()).collect();
    let last = |name: &str| name.rsplit('/').next().unwrap_or(name).to_lowercase();
    if let Some(name) = names.iter().find(|name| name.contains('/') && last(name) == slip) {
        return Some(name.clone());
    }
    let far = |name: &String| strsim::damerau_levenshtein(&slip, &name.to_lowercase());
    let best = names.iter().min_by_key(|name| far(name))?;
    (far(best) <= slip.chars().count() / 3).then(|| best.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_known_by_name() {
        assert_eq!(named(" asia/shanghai ").unwrap().0, "Asia/Shanghai");
        assert_eq!(named(DEFAULT).unwrap().0, "UTC");
        for none in
            ["", "Asia", "Mars/Olympus", "Etc/Unknown", "+08:00", "EST5EDT,M3.2.0,M11.1.0", "../etc/passwd"]
        {
            assert_eq!(named(none).map(|(name, _)| name), None, "{none}");
        }
        assert_eq!(or_utc("Mars/Olympus"), TimeZone::UTC);
    }

    #[test]
    fn a_slip_is_understood() {
        for (slip, meant) in [
            ("Shanghai", Some("Asia/Shanghai")),
            ("new york", Some("America/New_York")),
            ("Europe/Berln", Some("Europe/Berlin")),
            ("qqqqqqqq", None),
            ("", None),
        ] {
            assert_eq!(nearest(slip).as_deref(), meant, "{slip}");
        }
    }
}
