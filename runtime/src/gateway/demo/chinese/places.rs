//! Routes and places.

use super::super::proposal::{Proposal, place, places};
use super::{bare, between, has, names, split};

/// How the person travels, by the words for it; the longer ones first.
const MODES: &[(&str, &str)] = &[
    ("骑自行车", "bicycle"),
    ("骑单车", "bicycle"),
    ("骑车", "bicycle"),
    ("骑行", "bicycle"),
    ("步行", "walk"),
    ("走路", "walk"),
    ("公共交通", "transit"),
    ("坐公交车", "transit"),
    ("坐公交", "transit"),
    ("坐地铁", "transit"),
    ("乘地铁", "transit"),
    ("坐火车", "transit"),
    ("公交", "transit"),
    ("地铁", "transit"),
    ("开车", "drive"),
    ("驾车", "drive"),
];

const VIA: &[&str] = &["途经", "途径", "经过", "经由", "路过", "顺路去"];

pub(super) fn navigate(text: &str) -> Option<Proposal> {
    const TO: &[&str] =
        &["导航到", "导航去", "导航至", "导航回", "带我去", "带我到", "带我回", "怎么去", "去", "到", "回"];
    let mode = MODES.iter().find(|(words, _)| text.contains(words));
    let said = mode.map_or_else(|| text.to_owned(), |(words, _)| text.replacen(words, "", 1));
    // A bare 去 or 回 is said of much else; it counts where something tells that a way is meant.
    let told = mode.is_some() || has(&said, &["导航", "带我", "怎么走", "怎么去"]) || said.starts_with('去');
    if !told {
        return None;
    }
    let (before, behind) = split(&said, TO)?;
    let behind = split(behind, &["怎么走", "的路线"]).map_or(behind, |(place, _)| place);
    // The stops stand behind the destination, or before it.
    let (destination, stops) = match split(behind, VIA) {
        Some((destination, stops)) => (destination, stops),
        None => (behind, split(before, VIA).map_or("", |(_, stops)| stops)),
    };
    let replaces = has(&said, &["改成", "改去", "换成"]);
    Some(
        Proposal::new("navigate")
            .maybe("destination", bare(destination).map(place))
            .maybe("stops", places(&names(stops)))
            .maybe("mode", mode.map(|(_, name)| *name))
            .maybe("replace_route", replaces.then_some(true)),
    )
}

pub(super) fn add_stop(text: &str) -> Option<Proposal> {
    const STOPS: &[&str] = &[
        "加一个停靠点",
        "加个停靠点",
        "加停靠点",
        "添加停靠点",
        "加一个途经点",
        "加个途经点",
        "添加途经点",
        "加一站",
        "加个站",
        "停一下",
        "停一站",
        "顺路去一下",
        "顺便去",
        "顺路去",
    ];
    let (before, stop) = split(text, STOPS)?;
    let destination = between(before, &["去", "到", "回"], &["的路上", "路上", "的途中", "途中"]);
    let (stop, then) = split(stop, &["再去", "然后去", "再到", "然后到"]).unwrap_or((stop, ""));
    // 在面包店停一下: the stop stands before.
    let stop = bare(stop).or_else(|| {
        let before = split(before, &["路上", "途中"]).map_or(before, |(_, behind)| behind);
        bare(split(before, &["在"]).map_or(before, |(_, place)| place))
    });
    Some(
        Proposal::new("add_stop")
            .maybe("stop", stop.map(place))
            .maybe("destination", destination.or_else(|| bare(then)).map(place)),
    )
}

pub(super) fn search(text: &str) -> Option<Proposal> {
    const ROUTE: &[&str] = &["沿途", "沿路", "顺路", "路上", "途中", "路线上"];
    const NEAR: &[&str] = &["附近", "周围", "旁边", "周边"];
    const LEAVE: &[&str] = &[
        "有没有",
        "哪里有",
        "哪儿有",
        "找一下",
        "找找",
        "搜索",
        "搜一下",
        "查找",
        "寻找",
        "看看",
        "找",
        "搜",
        "最近的",
        "一家",
        "一个",
        "这",
        "我",
        "在",
    ];
    let near = if has(text, ROUTE) { Some("route") } else { has(text, NEAR).then_some("me") };
    if near.is_none() && !["找", "搜", "查找"].iter().any(|word| text.starts_with(word)) {
        return None;
    }
    let mut query = text.to_owned();
    for word in ROUTE.iter().chain(NEAR).chain(LEAVE) {
        query = query.replacen(word, "", 1);
    }
    let query = query.trim_start_matches(['的', '有']).trim_end_matches('的').to_owned();
    Some(Proposal::new("search_nearby").maybe("query", bare(&query)).maybe("near", near))
}

pub(super) fn stop_navigation(text: &str) -> Option<Proposal> {
    let ends = has(text, &["停止", "结束", "取消", "关闭", "退出", "关掉", "不用"]);
    (ends && has(text, &["导航", "路线"])).then(|| Proposal::new("stop_navigation"))
}
