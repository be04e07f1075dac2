//! Everything of a person's, taken along or erased.

use super::Topic;
use super::route::{json, object, route};
use super::shape::{Shape, always, read, sent};

pub(super) const TOPIC: Topic = Topic {
    name: "belongings",
    doc: "Everything of a person's, taken along or erased.",
    words: &[],
    records: &[
        sent(
            "erase_all",
            "That everything is to go.",
            &[always("confirm", Shape::Text, "The person's own name, as GET /api/people tells it.")],
        ),
        read(
            "all_erased",
            "That everything is gone.",
            &[
                always("erased", Shape::Boolean, "Always true."),
                always(
                    "operator",
                    Shape::Boolean,
                    "Whether the person goes on as the operator, with the token that stands in the data folder.",
                ),
            ],
        ),
    ],
    events: &[],
    routes: &[
        route(
            "GET",
            "/api/export",
            "export_all",
            "Everything of the person's: what wrote it and when, then a member a table. Secrets are left out.",
        )
        .answers(&[object("The export, as a file.")])
        .faults(&["too_many_exports"]),
        route(
            "POST",
            "/api/erase",
            "erase_all",
            "Erases everything of the person's, the person and their tokens as well; nothing brings it back.",
        )
        .body("erase_all")
        .answers(&[json(200, "all_erased", "It is gone.")])
        .faults(&["not_confirmed", "not_found"]),
    ],
};
