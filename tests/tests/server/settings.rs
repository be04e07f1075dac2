//! What a person sets: shown, changed, clamped and told to every device; and do-not-disturb.

use handset_spec::Language;
use handset_spec::settings::{Settings, Unit};
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::http::Response;
use crate::process::{Folder, Server, newcomer};

fn patch(server: &Server, body: &Value) -> Response {
    server.ask(Some(&server.token), "PATCH", "/api/settings", Some(body))
}

/// A change that has to be taken.
fn set(server: &Server, body: &Value) -> Value {
    let response = patch(server, body);
    assert_eq!(response.status, 200, "{body}");
    response.json()
}

/// A change that has to be refused; its code and message.
fn refused(server: &Server, body: &Value) -> (String, String) {
    let response = patch(server, body);
    assert_eq!(response.status, 422, "{body}");
    let error = response.json()["error"].clone();
    let text = |key: &str| error[key].as_str().unwrap().to_owned();
    (text("code"), text("message"))
}

#[test]
fn settings_are_the_specs_until_they_are_set() {
    let data = Folder::new();
    let server = Server::start(&data);
    let first = server.get("/api/settings");
    assert_eq!(first["settings"], Settings::default().to_json());
    assert_eq!(
        (&first["language"], &first["zone"], &first["dnd"], &first["clamped"], &first["notes"]),
        (&Value::Null, &json!("UTC"), &json!(false), &json!([]), &json!([]))
    );
    let changed = set(
        &server,
        &json!({"settings": {"call": {"extra_rings": 3}, "escalation": {"silence": 2.5, "from": "09:30"}},
                "language": "zh", "zone": "asia/shanghai", "dnd": true}),
    );
    assert_eq!(changed["settings"]["call"]["extra_rings"], json!(3));
    assert_eq!(changed["settings"]["escalation"]["silence"], json!(2.5));
    assert_eq!(changed["settings"]["escalation"]["from"], json!("09:30"));
    assert_eq!(
        (&changed["language"], &changed["zone"], &changed["dnd"]),
        (&json!("zh"), &json!("Asia/Shanghai"), &json!(true))
    );
    // It stays over a restart, and what was not named stays as it was.
    assert!(server.stop().success());
    let server = Server::start(&data);
    assert_eq!(server.get("/api/settings"), changed);
    let back = set(&server, &json!({"settings": {"call": {"extra_rings": null}}, "language": null}));
    assert_eq!(back["settings"]["call"], first["settings"]["call"]);
    assert_eq!((&back["language"], &back["zone"]), (&Value::Null, &json!("Asia/Shanghai")));
    assert_eq!(set(&server, &json!({"settings": null}))["settings"], first["settings"]);
    assert_eq!(set(&server, &json!({})), server.get("/api/settings"));
}

#[test]
fn what_is_out_of_bounds_is_clamped_and_told() {
    let data = Folder::new();
    let server = Server::start(&data);
    let changed = set(&server, &json!({"settings": {"call": {"ring_interval": 0.5, "extra_rings": 1e9}}}));
    let [rings, interval] = ["extra_rings", "ring_interval"].map(|key| {
        let mut knobs = Settings::SECTIONS.iter().flat_map(|section| section.knobs);
        let knob = knobs.find(|knob| knob.key == key).unwrap();
        let (min, max) = knob.bounds.unwrap();
        (min.to_json(knob.unit), max.to_json(knob.unit))
    });
    assert_eq!(
        changed["clamped"],
        json!([
            {"path": "call.extra_rings", "given": 1e9, "used": rings.1, "min": rings.0, "max": rings.1},
            {"path": "call.ring_interval", "given": 0.5, "used": interval.0, "min": interval.0, "max": interval.1},
        ])
    );
    assert_eq!(changed["settings"]["call"]["extra_rings"], rings.1);
    assert_eq!(server.get("/api/settings")["clamped"], json!([]), "what is kept is within the bounds");
    // The two ends of a range do not cross: the one that was given is moved.
    let crossed = set(&server, &json!({"settings": {"voice": {"linger_min": 30}}}));
    assert_eq!(crossed["settings"]["voice"]["linger_min"], crossed["settings"]["voice"]["linger_max"]);
    assert_eq!(crossed["clamped"][0]["path"], json!("voice.linger_min"));
}

/// Rings that would come after the invite has expired are told of, in the language of the person.
#[test]
fn rings_that_come_too_late_are_told() {
    let data = Folder::new();
    let server = Server::start(&data);
    let late = json!({"settings": {"call": {"ring_interval": 10, "extra_rings": 10, "invite_expires": 30}}});
    let note = |language| {
        let text = text!(settings.rings_dropped in language, seconds = 30, rings = 11, kept = 3);
        json!([{"code": "rings_dropped", "text": text}])
    };
    assert_eq!(set(&server, &late)["notes"], note(Language::En));
    let chat = server.chat();
    server.send(&chat, &json!({"text": "你好"})).until("reply");
    assert_eq!(server.get("/api/settings")["notes"], note(Language::Zh), "the language of the words");
    assert_eq!(set(&server, &json!({"language": "en"}))["notes"], note(Language::En));
    assert_eq!(set(&server, &json!({"settings": {"call": {"extra_rings": 2}}}))["notes"], json!([]));
}

#[test]
fn what_cannot_be_set_changes_nothing() {
    let data = Folder::new();
    let server = Server::start(&data);
    let before = server.get("/api/settings");
    for (body, code, told) in [
        (
            json!({"settings": {"call": {"ring_intervall": 2}}}),
            "unknown_setting",
            "settings.call.ring_interval?",
        ),
        (json!({"settings": {"cal": {}}}), "unknown_setting", "did you mean settings.call?"),
        (json!({"setings": {}}), "unknown_setting", "did you mean settings?"),
        (json!({"settings": {"call": {"note_max_chars": 9}}}), "unknown_setting", "note_max_chars"),
        (
            json!({"settings": {"call": {"ring_interval": "2"}}}),
            "invalid",
            "settings.call.ring_interval must be a number",
        ),
        (
            json!({"settings": {"call": {"ring_enabled": 1}}}),
            "invalid",
            "settings.call.ring_enabled must be true",
        ),
        (
            json!({"settings": {"call": {"extra_rings": 2.5}}}),
            "invalid",
            "settings.call.extra_rings must be a whole",
        ),
        (
            json!({"settings": {"escalation": {"from": "9:30"}}}),
            "invalid",
            "settings.escalation.from must be a time",
        ),
        (json!({"settings": {"escalation": {"from": "24:00"}}}), "invalid", "settings.escalation.from"),
        (json!({"settings": []}), "invalid", "settings must be an object"),
        (json!({"settings": {"call": 3}}), "invalid", "settings.call must be an object"),
        (json!({"language": "fr"}), "invalid", "en, zh"),
        (json!({"language": 3}), "invalid", "language"),
        (json!({"zone": "Shanghai"}), "unknown_zone", "Asia/Shanghai"),
        (json!({"zone": "+08:00"}), "unknown_zone", "Europe/Berlin"),
        (json!({"zone": ""}), "unknown_zone", "zone"),
        (json!({"dnd": "on"}), "invalid", "dnd"),
        // What is right beside it is not taken either.
        (
            json!({"settings": {"call": {"extra_rings": 1, "x": 1}}, "dnd": true}),
            "unknown_setting",
            "settings.call.x",
        ),
    ] {
        let (found, message) = refused(&server, &body);
        assert!(found == code && message.contains(told), "{body}: {found}: {message}");
        assert_eq!(server.get("/api/settings"), before, "{body}");
    }
    // Every fault of a change in one answer.
    let (_, message) =
        refused(&server, &json!({"settings": {"call": {"x": 1, "ring_interval": "a"}, "y": 1}}));
    for told in ["settings.call.x", "settings.call.ring_interval", "settings.y"] {
        assert!(message.contains(told), "{message}");
    }
    assert_eq!(patch(&server, &json!([])).status, 422);
}

/// Every device hears of it, by its stream and by its poll.
#[test]
fn every_device_hears_of_it() {
    let data = Folder::new();
    let server = Server::start(&data);
    let last = server.get("/api/events/poll")["last_id"].as_str().unwrap().to_owned();
    let (mut pixel, mut tablet) = (server.follow("pixel", None), server.follow("tablet", None));
    let on = server.post("/api/flags", &json!({"dnd": true}));
    assert_eq!((on.status, on.json()), (200, json!({"dnd": true})));
    // Nothing has changed: nothing is told.
    assert_eq!(server.post("/api/flags", &json!({"dnd": true})).status, 200);
    let changed = set(&server, &json!({"settings": {"call": {"extra_rings": 1}}}));
    set(&server, &json!({"settings": {"call": {"extra_rings": 1}}, "dnd": true}));
    set(&server, &json!({"dnd": false}));
    let told = |events: &mut dyn Iterator<Item = (String, Value)>| {
        let (kinds, data): (Vec<_>, Vec<_>) = events.take(4).unzip();
        assert_eq!(kinds, ["flags", "settings", "flags", "settings"]);
        assert_eq!((&data[0], &data[2]), (&json!({"dnd": true}), &json!({"dnd": false})));
        assert_eq!((&data[1], &data[3]["dnd"]), (&changed, &json!(false)));
    };
    told(&mut pixel.by_ref().map(|event| (event.kind, event.data)));
    told(&mut tablet.by_ref().map(|event| (event.kind, event.data)));
    let polled = server.get(&format!("/api/events/poll?after={last}"));
    let polled = polled["events"].as_array().unwrap().clone();
    told(
        &mut polled
            .into_iter()
            .map(|event| (event["event"].as_str().unwrap().to_owned(), event["data"].clone())),
    );
    assert_eq!(server.get("/api/flags"), json!({"dnd": false}));
    let wrong = server.post("/api/flags", &json!({"dnd": 1}));
    assert_eq!((wrong.status, wrong.json()["error"]["code"].clone()), (422, json!("invalid")));
    assert_eq!(server.post("/api/flags", &json!({})).status, 422);
}

/// A repeated write does nothing more: what was set meanwhile stays.
#[test]
fn a_repeated_change_is_made_once() {
    let data = Folder::new();
    let server = Server::start(&data);
    let change = json!({"settings": {"call": {"extra_rings": 1000}}, "client_id": "s1"});
    let first = set(&server, &change);
    set(&server, &json!({"settings": {"call": {"extra_rings": 4}}, "client_id": "s2"}));
    let again = set(&server, &change);
    assert_eq!(again["clamped"], first["clamped"], "what was told first is told again");
    assert_eq!(again["settings"]["call"]["extra_rings"], json!(4));
    server.post("/api/flags", &json!({"dnd": true, "client_id": "f1"}));
    server.post("/api/flags", &json!({"dnd": false, "client_id": "f2"}));
    assert_eq!(
        server.post("/api/flags", &json!({"dnd": true, "client_id": "f1"})).json(),
        json!({"dnd": false})
    );
    let reused = patch(&server, &json!({"dnd": true, "client_id": "x".repeat(200)}));
    assert_eq!(reused.status, 422);
}

#[test]
fn settings_are_ones_own() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (_, ann) = newcomer(&data, &server, "Ann");
    let body = json!({"settings": {"call": {"extra_rings": 1}}, "dnd": true, "zone": "Europe/Berlin"});
    assert_eq!(server.ask(Some(&ann), "PATCH", "/api/settings", Some(&body)).status, 200);
    let mine = server.get("/api/settings");
    assert_eq!((&mine["zone"], &mine["dnd"]), (&json!("UTC"), &json!(false)));
    assert_eq!(mine["settings"], Settings::default().to_json());
    assert_eq!(server.ask(Some(&ann), "GET", "/api/flags", None).json(), json!({"dnd": true}));
}

/// A page can show and change everything by the form alone: each knob can be set to its bounds.
#[test]
fn the_form_tells_all_that_can_be_set() {
    let data = Folder::new();
    let server = Server::start(&data);
    let form = server.get("/api/settings/form");
    let sections = form["sections"].as_array().unwrap();
    assert_eq!(sections.len(), Settings::SECTIONS.len());
    let known =
        [Unit::Boolean, Unit::Seconds, Unit::Minutes, Unit::Hours, Unit::Clock, Unit::Count, Unit::Factor];
    for section in sections {
        for knob in section["knobs"].as_array().unwrap() {
            let unit = knob["unit"].as_str().unwrap();
            assert!(known.iter().any(|unit_known| unit_known.key() == unit), "{unit}");
            let (section, key) = (section["key"].as_str().unwrap(), knob["key"].as_str().unwrap());
            for value in [&knob["default"], &knob["min"], &knob["max"]] {
                let changed = set(&server, &json!({"settings": {section: {key: value}}}));
                let is_end = |path: &str| path.ends_with("_min") || path.ends_with("_max");
                let clamped = changed["clamped"].as_array().unwrap();
                assert!(clamped.iter().all(|told| is_end(told["path"].as_str().unwrap())), "{clamped:?}");
                if clamped.is_empty() && !value.is_null() {
                    assert_eq!(&changed["settings"][section][key], value);
                }
                set(&server, &json!({"settings": null}));
            }
        }
    }
    for language in ["en", "zh"] {
        for text in [&form["person"][1]["label"], &form["units"]["hours"], &sections[0]["label"]] {
            assert!(text[language].as_str().is_some_and(|text| !text.is_empty()));
        }
    }
}
