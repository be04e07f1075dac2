//! One knob: `{"default", "min", "max", "unit", "label", "help"}`.

use super::super::known_numbers::Sort;
use super::super::page::{Page, quoted};
use super::super::texts;
use super::setting;
use crate::model::{Knob, Name, Setting, Unit};
use crate::nearest::proposal;
use crate::read::Node;
use crate::rules;

/// Reads a knob; `what` is it as a sentence names it: `` `call.ring_interval` ``.
pub(super) fn read(page: &Page<'_>, node: &Node, key: Name, sort: Option<Sort>, what: &str) -> Option<Knob> {
    let unit = node.get("unit").map(|unit| self::unit(page, unit, sort, what));
    let bounds: (&[&str], &[&str]) = match unit {
        // A switch has no bounds, and a time of day is bounded by the day.
        Some(Some(Unit::Boolean)) => (&[], &[]),
        Some(Some(Unit::Clock)) | Some(None) | None => (&[], &["min", "max"]),
        Some(Some(_)) => (&["min", "max"], &[]),
    };
    let needed: Vec<&str> = ["default", "unit", "label", "help"].iter().chain(bounds.0).copied().collect();
    let object = page.object(node, what, &needed, bounds.1)?;
    let label =
        object.get("label").and_then(|node| texts::plain(page, node, &format!("the label of {what}")));
    let help = object.get("help").and_then(|node| texts::plain(page, node, &format!("the help of {what}")));
    let unit = unit.flatten()?;
    let value = |key: &str| {
        let node = object.get(key)?;
        Some((node, setting::read(page, node, unit, &format!("`{key}` of {what}"))?))
    };
    let (default, min, max) = (value("default"), value("min"), value("max"));
    let bounds = match unit {
        Unit::Boolean => None,
        Unit::Clock => {
            let (min, max) = (object.get("min").map(|_| min), object.get("max").map(|_| max));
            // A bound that could not be read was told.
            let min = min.map_or(Some(Setting::Clock(0, 0)), |min| Some(min?.1))?;
            let max = max.map_or(Some(Setting::Clock(23, 59)), |max| Some(max?.1))?;
            Some((min, max))
        }
        _ => Some((min?.1, max?.1)),
    };
    let (place, default) = default?;
    if let Some((least, most)) = bounds {
        if least > most {
            let [first, last] = [min, max].map(|end| end.map_or(node.head(), |(node, _)| node.span));
            page.fault(
                &rules::REVERSED_BOUNDS,
                last,
                format!("{what} has a `max` that is less than its `min`"),
            )
            .label("less than `min`")
            .also(first, "`min`")
            .help("swap the two, or correct one")
            .report();
            return None;
        }
        if default < least || default > most {
            let end = if default < least { min } else { max };
            let mut fault = page
                .fault(
                    &rules::DEFAULT_OUT_OF_BOUNDS,
                    place.span,
                    format!("the default of {what} is out of its own bounds"),
                )
                .label("out of bounds")
                .help("write a default from `min` to `max`, or move the bound");
            if let Some((node, _)) = end {
                fault = fault.also(node.span, "the bound");
            }
            fault.report();
            return None;
        }
    }
    Some(Knob { key, unit, default, bounds, label: label?, help: help? })
}

fn unit(page: &Page<'_>, node: &Node, sort: Option<Sort>, what: &str) -> Option<Unit> {
    let word = page.string(node, &format!("`unit` of {what}"))?;
    let of_sort: &[Unit] = sort.map_or(&Unit::ALL, Sort::units);
    let names: Vec<&str> = of_sort.iter().map(|unit| unit.key()).collect();
    let Some(unit) = Unit::ALL.into_iter().find(|unit| unit.key() == word.text) else {
        page.fault(&rules::UNKNOWN_UNIT, word.span, format!("`{}` is no unit of a knob", word.text))
            .label("unknown unit")
            .help(proposal(word.text, &names))
            .report();
        return None;
    };
    if !of_sort.contains(&unit) {
        page.fault(
            &rules::WRONG_UNIT,
            word.span,
            format!(
                "{what} cannot be measured in `{}`: whoever uses it needs another kind of value",
                word.text
            ),
        )
        .label("another kind of value")
        .help(format!(
            "write {}",
            if names.len() == 1 { format!("`{}`", names[0]) } else { format!("one of {}", quoted(&names)) }
        ))
        .report();
        return None;
    }
    Some(unit)
}
