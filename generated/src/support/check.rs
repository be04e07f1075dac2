//! One function a kind of check (spec-format, "phone"; document 1 §2): the typed value, or none.

use super::keys::Keys;
use super::source::{Source, View};
use super::text::Text;
use super::types::{ClockTime, DateOrDatetime, Place, Spot, StringMap, Weekday, text};

/// `HH:MM`, hours 00–23, minutes 00–59.
#[inline]
pub fn clock_time<'a>(value: impl Source<'a>) -> Option<ClockTime> {
    let text = text(value)?;
    let [h1, h2, b':', m1, m2] = *text.as_bytes() else { return None };
    let (hour, minute) = (two(h1, h2)?, two(m1, m2)?);
    (hour < 24 && minute < 60).then_some(ClockTime { hour, minute })
}

/// A list, each entry one of `mon` … `sun`.
#[inline]
pub fn weekdays<'a>(value: impl Source<'a>) -> Option<Vec<Weekday>> {
    list(value, |day| Weekday::from_name(&text(day)?))
}

/// An integral number from `min` to `max`, never a boolean.
#[inline]
pub fn integer<'a>(value: impl Source<'a>, min: i64, max: i64) -> Option<i64> {
    match value.view() {
        View::Number(number) => number.as_i64().filter(|integer| (min..=max).contains(integer)),
        _ => None,
    }
}

/// `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`, digits in these places; no calendar is asked.
#[inline]
pub fn date_or_datetime<'a>(value: impl Source<'a>) -> Option<DateOrDatetime> {
    let text = text(value)?;
    let (date, time) = text.as_bytes().split_at_checked(10)?;
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *date else { return None };
    let time = match *time {
        [] => None,
        [b'T', h1, h2, b':', m1, m2] => Some((two(h1, h2)?, two(m1, m2)?)),
        _ => return None,
    };
    let year = u16::from(two(y1, y2)?) * 100 + u16::from(two(y3, y4)?);
    Some(DateOrDatetime { year, month: two(m1, m2)?, day: two(d1, d2)?, time })
}

/// A list of strings, each non-empty after trimming.
#[inline]
pub fn non_empty_strings<'a>(value: impl Source<'a>) -> Option<Vec<Text<'a>>> {
    list(value, |string| text(string).filter(|text| !text.is_empty()))
}

/// At least `min_digits` digits, and nothing but digits, spaces and `+ ( ) - . / # *`.
#[inline]
pub fn phone_number<'a>(value: impl Source<'a>, min_digits: usize) -> Option<Text<'a>> {
    let text = text(value)?;
    let mut digits = 0;
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b' ' | b'+' | b'(' | b')' | b'-' | b'.' | b'/' | b'#' | b'*' => {}
            _ => return None,
        }
    }
    (digits >= min_digits).then_some(text)
}

/// An object with numeric `lat` and `lon` together, each in its range, or a non-empty `query`, or a non-empty `name`.
#[inline]
pub fn place<'a>(value: impl Source<'a>) -> Option<Place<'a>> {
    spot(value)?;
    Some(Place::new(value.json()))
}

/// A list of places.
#[inline]
pub fn places<'a>(value: impl Source<'a>) -> Option<Vec<Place<'a>>> {
    list(value, place)
}

/// What makes a value a place, if it is one.
pub(crate) fn spot<'a>(value: impl Source<'a>) -> Option<Spot<'a>> {
    let View::Object(members) = value.view() else { return None };
    let (mut lat, mut lon, mut query, mut name) = (None, None, None, None);
    // Of a repeated key the last counts, also where it takes away what an earlier one gave.
    for (key, value) in members {
        match &*key {
            "lat" => lat = degrees(value, 90.0),
            "lon" => lon = degrees(value, 180.0),
            "query" => query = text(value).filter(|text| !text.is_empty()),
            "name" => name = text(value).filter(|text| !text.is_empty()),
            _ => {}
        }
    }
    let spot = Spot { coordinates: lat.zip(lon), query, name };
    (spot.coordinates.is_some() || spot.query.is_some() || spot.name.is_some()).then_some(spot)
}

fn degrees<'a>(value: impl Source<'a>, most: f64) -> Option<f64> {
    match value.view() {
        View::Number(number) => Some(number.as_f64()).filter(|degrees| (-most..=most).contains(degrees)),
        _ => None,
    }
}

/// `http://` or `https://`, in any case, and something behind it.
#[inline]
pub fn http_url<'a>(value: impl Source<'a>) -> Option<Text<'a>> {
    let text = text(value)?;
    let scheme = |scheme: &str| {
        text.len() > scheme.len() && text.as_bytes()[..scheme.len()].eq_ignore_ascii_case(scheme.as_bytes())
    };
    (scheme("http://") || scheme("https://")).then_some(text)
}

/// `true` or `false`.
#[inline]
pub fn boolean<'a>(value: impl Source<'a>) -> Option<bool> {
    match value.view() {
        View::Boolean(value) => Some(value),
        _ => None,
    }
}

/// An object of strings.
#[inline]
pub fn string_map<'a>(value: impl Source<'a>) -> Option<StringMap<'a>> {
    let View::Object(members) = value.view() else { return None };
    let mut map: Vec<Option<(Text<'a>, Option<Text<'a>>)>> = Vec::new();
    let mut keys = Keys::default();
    for (key, value) in members {
        if let Some(before) = keys.insert(key.clone(), map.len()) {
            map[before] = None;
        }
        map.push(Some((key, text(value))));
    }
    let strings = map.into_iter().flatten().map(|(key, value)| Some((key, value?)));
    strings.collect::<Option<_>>().map(StringMap)
}

/// One of the values that the tool's schema lists.
#[inline]
pub fn schema_enum<'a, T>(value: impl Source<'a>, from_name: impl Fn(&str) -> Option<T>) -> Option<T> {
    from_name(&text(value)?)
}

fn list<'a, V: Source<'a>, T>(value: V, entry: impl Fn(V) -> Option<T>) -> Option<Vec<T>> {
    match value.view() {
        View::List(entries) => entries.map(entry).collect(),
        _ => None,
    }
}

fn two(tens: u8, ones: u8) -> Option<u8> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
}
