use std::collections::BTreeSet;

use super::*;

#[test]
fn every_route_is_told_of_once_and_by_its_own_name() {
    let mut names = BTreeSet::new();
    let mut places = BTreeSet::new();
    for (_, route) in routes() {
        assert!(names.insert(route.name), "{} names two routes", route.name);
        assert!(places.insert((route.method, route.path)), "{} {}", route.method, route.path);
        let done = route.answers.iter().any(|answer| answer.status < 400);
        assert!(done, "{} {} is never done", route.method, route.path);
    }
}

#[test]
fn every_code_of_a_route_is_one_that_there_is() {
    let known: BTreeSet<&str> = FAULTS.iter().map(|fault| fault.code).collect();
    assert_eq!(known.len(), FAULTS.len(), "a code has one status");
    for (_, route) in routes() {
        for code in route.faults {
            assert!(known.contains(code), "{} {}: {code}", route.method, route.path);
        }
    }
}

#[test]
fn every_record_of_a_route_is_one_that_there_is() {
    let known: BTreeSet<&str> = records().map(|record| record.name).collect();
    for (_, route) in routes() {
        let answered = route.answers.iter().filter_map(|answer| match answer.content {
            Content::Record(record) => Some(record),
            Content::Nothing | Content::Object | Content::Bytes(_) | Content::Stream => None,
        });
        for record in answered.chain(route.body.and_then(|body| body.record)) {
            assert!(known.contains(record), "{} {}: {record}", route.method, route.path);
        }
    }
}
