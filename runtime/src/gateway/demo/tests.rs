//! Sentences and what the demo makes of them; that each passes the spec's reader is checked with it.

use handset_spec::phone::{self, Action};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// What a sentence leads to, without action and summary.
fn read(sentence: &str) -> (String, Value) {
    let proposal = understand(sentence).unwrap_or_else(|| panic!("not understood: {sentence}"));
    (proposal.action.clone(), Value::Object(proposal.fields))
}

/// Every sentence is a call that passes.
const SENTENCES: &[(&str, &str, &str)] = &[
    (
        "set an alarm for 7:30 on weekdays",
        "alarm",
        r#"{"time":"07:30","days":["mon","tue","wed","thu","fri"]}"#,
    ),
    ("Wake me at 6", "alarm", r#"{"time":"06:00"}"#),
    (
        "please wake me up at half past seven on Saturdays and Sundays, please",
        "alarm",
        r#"{"time":"07:30","days":["sat","sun"]}"#,
    ),
    ("Set an alarm for 6 pm called gym", "alarm", r#"{"time":"18:00","label":"gym"}"#),
    ("set a timer for 5 minutes", "timer", r#"{"seconds":300}"#),
    ("90 second timer called eggs", "timer", r#"{"seconds":90,"label":"eggs"}"#),
    ("remind me in half an hour", "timer", r#"{"seconds":1800}"#),
    (
        "put dentist in my calendar on 2027-03-04 at 10:00",
        "calendar_event",
        r#"{"title":"dentist","start":"2027-03-04T10:00"}"#,
    ),
    (
        "Add lunch with Bob to my calendar on 2027-03-04 from 12:30 to 13:30",
        "calendar_event",
        r#"{"title":"lunch with Bob","start":"2027-03-04T12:30","end":"2027-03-04T13:30"}"#,
    ),
    (
        "create an event called Holiday on 2027-07-01",
        "calendar_event",
        r#"{"title":"Holiday","start":"2027-07-01"}"#,
    ),
    ("text Anna I'm late", "sms_draft", r#"{"to":["Anna"],"body":"I'm late"}"#),
    ("text Anna and Bob: running late", "sms_draft", r#"{"to":["Anna","Bob"],"body":"running late"}"#),
    ("send a text to 555 0100 saying on my way", "sms_draft", r#"{"to":["555 0100"],"body":"on my way"}"#),
    ("send Anna a message saying see you", "sms_draft", r#"{"to":["Anna"],"body":"see you"}"#),
    ("email bob@example.com about lunch", "email_draft", r#"{"to":["bob@example.com"],"subject":"lunch"}"#),
    (
        "Send an email to bob@example.com cc eve@example.com about lunch saying Noon works",
        "email_draft",
        r#"{"to":["bob@example.com"],"cc":["eve@example.com"],"subject":"lunch","body":"Noon works"}"#,
    ),
    ("call 555 0100", "dial", r#"{"number":"555 0100"}"#),
    ("dial +49 (30) 123-456", "dial", r#"{"number":"+49 (30) 123-456"}"#),
    (
        "take me to the station by bike via the bakery",
        "navigate",
        r#"{"destination":{"query":"station"},"stops":[{"query":"bakery"}],"mode":"bicycle"}"#,
    ),
    ("navigate to Hauptstraße 5", "navigate", r#"{"destination":{"query":"Hauptstraße 5"}}"#),
    (
        "walk to the park instead",
        "navigate",
        r#"{"destination":{"query":"park"},"mode":"walk","replace_route":true}"#,
    ),
    (
        "add a stop at the bakery on the way to work",
        "add_stop",
        r#"{"stop":{"query":"bakery"},"destination":{"query":"work"}}"#,
    ),
    ("find coffee near me", "search_nearby", r#"{"query":"coffee","near":"me"}"#),
    ("find petrol on the route", "search_nearby", r#"{"query":"petrol","near":"route"}"#),
    ("stop navigation", "stop_navigation", "{}"),
    ("cancel the route", "stop_navigation", "{}"),
    ("open spotify", "open_app", r#"{"app":"spotify"}"#),
    ("launch the Clock app", "open_app", r#"{"app":"Clock"}"#),
    ("open https://example.com/a", "open_url", r#"{"url":"https://example.com/a"}"#),
    ("go to example.com", "open_url", r#"{"url":"https://example.com"}"#),
    ("pause the music", "media", r#"{"command":"pause"}"#),
    ("next song", "media", r#"{"command":"next"}"#),
    ("play", "media", r#"{"command":"play"}"#),
    ("stop the music", "media", r#"{"command":"stop"}"#),
    ("torch on", "torch", r#"{"on":true}"#),
    ("turn off the flashlight", "torch", r#"{"on":false}"#),
    ("show wifi settings", "settings_panel", r#"{"panel":"wifi"}"#),
    ("open bluetooth", "settings_panel", r#"{"panel":"bluetooth"}"#),
    (
        "run automation bedtime with volume=3",
        "automation_intent",
        r#"{"name":"bedtime","values":{"volume":"3"}}"#,
    ),
    ("run the task lights in MacroDroid", "automation_intent", r#"{"app":"MacroDroid","name":"lights"}"#),
    ("明天7:30叫我", "alarm", r#"{"time":"07:30"}"#),
    ("工作日七点半叫我起床", "alarm", r#"{"time":"07:30","days":["mon","tue","wed","thu","fri"]}"#),
    ("请设一个下午三点的闹钟，标签吃药", "alarm", r#"{"time":"15:00","label":"吃药"}"#),
    ("五分钟计时", "timer", r#"{"seconds":300}"#),
    ("定一个五分钟的计时器", "timer", r#"{"seconds":300}"#),
    ("半小时后叫我", "timer", r#"{"seconds":1800}"#),
    (
        "把看牙医放进日历，2027年3月4日上午10点",
        "calendar_event",
        r#"{"title":"看牙医","start":"2027-03-04T10:00"}"#,
    ),
    (
        "在日历里添加2027-03-04 10:00 看牙医",
        "calendar_event",
        r#"{"title":"看牙医","start":"2027-03-04T10:00"}"#,
    ),
    ("给安娜发短信说我晚到", "sms_draft", r#"{"to":["安娜"],"body":"我晚到"}"#),
    ("发短信给安娜：我晚到", "sms_draft", r#"{"to":["安娜"],"body":"我晚到"}"#),
    (
        "给bob@example.com发邮件，主题午饭，内容中午可以",
        "email_draft",
        r#"{"to":["bob@example.com"],"subject":"午饭","body":"中午可以"}"#,
    ),
    ("打电话给555 0100", "dial", r#"{"number":"555 0100"}"#),
    ("给10086打个电话", "dial", r#"{"number":"10086"}"#),
    ("导航去火车站", "navigate", r#"{"destination":{"query":"火车站"}}"#),
    (
        "骑车带我去车站，经过面包店",
        "navigate",
        r#"{"destination":{"query":"车站"},"stops":[{"query":"面包店"}],"mode":"bicycle"}"#,
    ),
    ("去公司的路上加一站面包店", "add_stop", r#"{"stop":{"query":"面包店"},"destination":{"query":"公司"}}"#),
    ("找一下附近的咖啡店", "search_nearby", r#"{"query":"咖啡店","near":"me"}"#),
    ("沿途有加油站吗", "search_nearby", r#"{"query":"加油站","near":"route"}"#),
    ("停止导航", "stop_navigation", "{}"),
    ("打开微信", "open_app", r#"{"app":"微信"}"#),
    ("打开https://example.com", "open_url", r#"{"url":"https://example.com"}"#),
    ("暂停音乐", "media", r#"{"command":"pause"}"#),
    ("下一首", "media", r#"{"command":"next"}"#),
    ("打开手电筒", "torch", r#"{"on":true}"#),
    ("关掉手电筒", "torch", r#"{"on":false}"#),
    ("打开WiFi设置", "settings_panel", r#"{"panel":"wifi"}"#),
    ("打开蓝牙", "settings_panel", r#"{"panel":"bluetooth"}"#),
    ("运行自动化 睡觉，volume=3", "automation_intent", r#"{"name":"睡觉","values":{"volume":"3"}}"#),
];

#[test]
fn sentences_are_understood() {
    for (sentence, action, fields) in SENTENCES {
        let expected: Value = serde_json::from_str(fields).unwrap();
        assert_eq!(read(sentence), ((*action).to_owned(), expected), "{sentence}");
    }
}

#[test]
fn what_is_understood_passes_the_spec() {
    for (sentence, action, _) in SENTENCES {
        let arguments = understand(sentence).unwrap().arguments(sentence);
        let mut seen = 0;
        phone::read(arguments.as_bytes(), |call| {
            seen += 1;
            let call = call.unwrap_or_else(|refusal| panic!("{sentence}: {}", refusal.text()));
            assert_eq!(call.action().name(), *action, "{sentence}");
        });
        assert_eq!(seen, 1);
    }
}

#[test]
fn every_action_is_reached_in_both_languages() {
    for action in Action::ALL {
        for chinese in [false, true] {
            let reached = |(sentence, name, _): &&(&str, &str, &str)| {
                *name == action.name() && parse::has_han(sentence) == chinese
            };
            // An action that was added a minute ago is reached by its name.
            let generic = generic::named(action.name()).is_some();
            assert!(SENTENCES.iter().any(|row| reached(&row)) || generic, "{} {chinese}", action.name());
        }
    }
}

#[test]
fn other_sentences_are_not_understood() {
    for sentence in
        ["how are you", "你好", "tell me a story", "", "the weather is fine", "今天天气不错", "Grüße"]
    {
        assert_eq!(understand(sentence), None, "{sentence}");
    }
}

fn prompt(said: Vec<Said>) -> Prompt {
    Prompt { system: "".into(), said, tools: vec![] }
}

fn person(text: &str, capability: bool) -> Said {
    let capabilities = capability.then(|| phone::CAPABILITY.to_owned()).into_iter().collect();
    Said::Person { sent: String::new(), text: text.to_owned(), capabilities }
}

#[test]
fn it_proposes_with_words_where_a_phone_is_and_without_where_none_is() {
    let with = answer(&prompt(vec![person("torch on", true)]));
    assert!(!with.words.is_empty() && with.call.is_some());
    let without = answer(&prompt(vec![person("torch on", false)]));
    assert!(without.words.is_empty() && without.call.is_some());
}

#[test]
fn a_stop_keeps_the_destination_that_was_told_before() {
    let said = vec![
        person("take me to the station", true),
        Said::Call {
            id: "1".to_owned(),
            tool: PHONE_ACTION.name.to_owned(),
            arguments: r#"{"action":"navigate","destination":{"query":"station"}}"#.to_owned(),
        },
        Said::Result { id: "1".to_owned(), text: "ok".to_owned() },
        Said::Companion { text: "ok".to_owned() },
        person("add a stop at the bakery", true),
    ];
    let call: Value = serde_json::from_str(&answer(&prompt(said)).call.unwrap()).unwrap();
    assert_eq!(call["destination"], json!({"query": "station"}));
}

#[test]
fn the_stream_is_cut_and_whole() {
    let text = "已经放到你的手机上了，等你点头：打开手电筒";
    let pieces =
        pieces(Answer { words: text.to_owned(), call: Some(r#"{"action":"torch","on":true}"#.to_owned()) });
    let words: String = pieces
        .iter()
        .filter_map(|piece| match piece {
            Delta::Text(text) => Some(text.as_str()),
            Delta::Call(_) => None,
        })
        .collect();
    assert_eq!(words, text);
    assert!(pieces.len() > 4);
}

/// Words that the readers look for, and pieces of them.
const VOCABULARY: &[&str] = &[
    "set",
    "alarm",
    "timer",
    "for",
    "at",
    "7:30",
    "half",
    "past",
    "an hour",
    "and a half",
    "text",
    "saying",
    ":",
    "email",
    "about",
    "cc",
    "call",
    "take me to",
    "via",
    "by bike",
    "add a stop at",
    "on the way to",
    "find",
    "near me",
    "open",
    "settings",
    "run automation",
    "with",
    "a=b",
    "calendar",
    "put",
    "2027-03-04",
    "torch",
    "times",
    "=",
    "{",
    "\"",
    "闹钟",
    "半",
    "个",
    "小时",
    "点",
    "七",
    "周",
    "到",
    "一",
    "导航去",
    "经过",
    "把",
    "放进",
    "日历",
    "给",
    "发短信",
    "说",
    "邮件",
    "关于",
    "设置",
    "打开",
    "附近",
    "路上",
    "加一站",
    "十",
    "百",
    "年",
    "月",
    "号",
    "：",
    "\u{212a}",
    "İ",
    "99999999999999999999",
];

fn any_word() -> impl Strategy<Value = String> {
    let owned = |word: &str| word.to_owned();
    let names: Vec<&str> = Action::ALL.iter().map(|action| action.name()).collect();
    prop_oneof![
        6 => prop::sample::select(VOCABULARY).prop_map(owned),
        1 => prop::sample::select(names).prop_map(owned),
        1 => "\\PC{0,6}",
    ]
}

proptest! {
    /// Whatever a person types: no panic, and what comes of it is one call that the reader can judge.
    #[test]
    fn anything_may_be_typed(words in prop::collection::vec(any_word(), 0..10), spaced in any::<bool>()) {
        let text = words.join(if spaced { " " } else { "" });
        let voice = speak::Voice::of(&text);
        match understand(&text) {
            None => prop_assert!(!voice.lost(&text).is_empty()),
            Some(proposal) => {
                let mut seen = 0;
                phone::read(proposal.arguments(&voice.summary).as_bytes(), |_| seen += 1);
                prop_assert_eq!(seen, 1);
            }
        }
    }
}

#[test]
fn what_is_not_to_be_done_is_not_proposed() {
    for sentence in [
        "Do NOT turn on the torch",
        "please don't call 555 0100",
        "never open spotify",
        "别打开手电筒",
        "请不要打电话给安娜",
    ] {
        assert_eq!(understand(sentence), None, "{sentence}");
    }
    assert!(understand("text Anna I'm not coming").is_some(), "a message may say no");
}

#[test]
fn a_day_that_is_excepted_is_none() {
    let proposal = understand("set an alarm for 7:30 every day except sunday").unwrap();
    let arguments: Value = serde_json::from_str(&proposal.arguments("x")).unwrap();
    assert_eq!(arguments["days"], serde_json::json!(["mon", "tue", "wed", "thu", "fri", "sat"]));
}
