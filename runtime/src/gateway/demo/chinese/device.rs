//! Apps, addresses, media, torch, settings and automations.

use super::super::parse;
use super::super::proposal::Proposal;
use super::{bare, has, split};

const OPENS: &[&str] = &["打开", "开启", "启动", "访问", "浏览", "运行"];

pub(super) fn url(text: &str) -> Option<Proposal> {
    let url = parse::url(text)?;
    // An address in the words of a message is not one to open.
    has(text, &["打开", "访问", "浏览", "看看"]).then(|| Proposal::new("open_url").with("url", url))
}

pub(super) fn app(text: &str) -> Option<Proposal> {
    let rest = OPENS.iter().find_map(|word| text.strip_prefix(word))?;
    let app = ["应用程序", "应用", "软件"]
        .iter()
        .find_map(|word| rest.trim_end().strip_suffix(word))
        .unwrap_or(rest);
    Some(Proposal::new("open_app").maybe("app", bare(app)))
}

pub(super) fn media(text: &str) -> Option<Proposal> {
    const COMMANDS: &[(&[&str], &str)] = &[
        (&["播放/暂停", "切换播放"], "toggle"),
        (&["下一首", "下一曲", "切歌", "下首"], "next"),
        (&["上一首", "上一曲", "上首"], "previous"),
        (&["停止播放", "停止音乐", "别放了", "不要放了", "关掉音乐"], "stop"),
        (&["暂停"], "pause"),
        (&["继续播放", "播放", "放音乐", "放歌", "放首歌", "继续放"], "play"),
    ];
    let (_, command) = COMMANDS.iter().find(|(words, _)| has(text, words))?;
    Some(Proposal::new("media").with("command", *command))
}

pub(super) fn torch(text: &str) -> Option<Proposal> {
    if !has(text, &["手电", "闪光灯", "电筒"]) {
        return None;
    }
    Some(Proposal::new("torch").with("on", !has(text, &["关", "灭"])))
}

/// Words for the panels, in lower case.
const PANELS: &[(&str, &str)] = &[
    ("wifi", "wifi"),
    ("wi-fi", "wifi"),
    ("wlan", "wifi"),
    ("无线网", "wifi"),
    ("蓝牙", "bluetooth"),
    ("音量", "volume"),
    ("nfc", "nfc"),
    ("定位", "location"),
    ("位置", "location"),
    ("飞行", "airplane"),
    ("电池", "battery"),
    ("电量", "battery"),
    ("显示", "display"),
    ("亮度", "display"),
    ("屏幕", "display"),
    ("声音", "sound"),
    ("铃声", "sound"),
    ("通知", "notifications"),
    ("应用", "apps"),
    ("互联网", "internet"),
    ("流量", "internet"),
    ("网络", "internet"),
];

pub(super) fn settings(text: &str) -> Option<Proposal> {
    let low = text.to_lowercase();
    let named = PANELS.iter().find(|(word, _)| low.contains(word));
    if has(text, &["设置", "面板"]) {
        let said = || bare(split(text, &["设置", "面板"])?.0.trim_start_matches(OPENS[0]));
        return Some(
            Proposal::new("settings_panel").maybe("panel", named.map(|(_, panel)| *panel).or_else(said)),
        );
    }
    // 打开蓝牙: the panel's name and nothing else.
    let (word, panel) = named?;
    let rest = OPENS.iter().find_map(|opens| low.strip_prefix(opens))?;
    (rest.trim() == *word).then(|| Proposal::new("settings_panel").with("panel", *panel))
}

pub(super) fn automation(text: &str) -> Option<Proposal> {
    const KINDS: &[&str] = &["自动化任务", "自动化", "任务", "快捷指令", "宏"];
    let rest = ["运行", "执行", "启动", "触发"].iter().find_map(|word| text.strip_prefix(word))?;
    let rest = KINDS.iter().find_map(|kind| rest.trim_start().strip_prefix(kind))?;
    let (name, values) = split(rest, &["，参数", ",参数", "参数", "，", ",", "带"]).unwrap_or((rest, ""));
    let values = parse::pairs(values);
    Some(
        Proposal::new("automation_intent")
            .maybe("name", bare(name))
            .maybe("values", (!values.is_empty()).then_some(values)),
    )
}
