//! The registry in Prometheus's text format, version 0.0.4.

use std::fmt::Write as _;
use std::sync::PoisonError;

use super::{Histogram, Metrics};
use crate::store::{CardState, InviteState, RingOutcome};
use crate::voice::speech;

/// Writes everything that is counted; `waiting` is how many cards wait just now.
#[must_use]
pub fn render(metrics: &Metrics, waiting: usize) -> String {
    let mut page = Page(String::with_capacity(8 * 1024));
    page.head("handset_build_info", "gauge", "The program and its spec.");
    let spec = handset_spec::VERSION;
    page.line("handset_build_info", &[("version", env!("CARGO_PKG_VERSION")), ("spec", spec)], 1);

    page.head("handset_requests_total", "counter", "Answered requests by route, method and status.");
    let requests = metrics.requests.lock().unwrap_or_else(PoisonError::into_inner);
    for (route, answers) in &*requests {
        for ((method, status), count) in answers {
            let labels = [("route", route.as_str()), ("method", method), ("status", &status.to_string())];
            page.line("handset_requests_total", &labels, *count);
        }
    }
    drop(requests);

    page.head("handset_turns_total", "counter", "Turns by how they ended.");
    for (end, counter) in [
        ("finished", &metrics.turns_finished),
        ("failed", &metrics.turns_failed),
        ("left_for_the_next_start", &metrics.turns_left),
    ] {
        page.line("handset_turns_total", &[("end", end)], counter.get());
    }
    page.head("handset_turns_running", "gauge", "Turns under way, those that wait for a card among them.");
    page.line("handset_turns_running", &[], metrics.turns_running.get());

    page.head("handset_cards_opened_total", "counter", "Cards put on a phone.");
    page.line("handset_cards_opened_total", &[], metrics.cards_opened.get());
    page.head("handset_cards_closed_total", "counter", "Cards by their outcome.");
    for (state, counter) in CardState::ALL.iter().zip(&metrics.cards_closed) {
        if *state != CardState::Pending {
            page.line("handset_cards_closed_total", &[("outcome", state.word())], counter.get());
        }
    }
    page.line("handset_cards_closed_total", &[("outcome", "withdrawn")], metrics.cards_withdrawn.get());
    page.head("handset_answers_too_late_total", "counter", "Answers that came after their card's time.");
    page.line("handset_answers_too_late_total", &[], metrics.answers_too_late.get());
    page.head("handset_cards_waiting", "gauge", "Cards that wait for an answer.");
    page.line("handset_cards_waiting", &[], waiting);

    page.head("handset_invites_opened_total", "counter", "Call invites that were made.");
    page.line("handset_invites_opened_total", &[], metrics.invites_opened.get());
    page.head("handset_invites_closed_total", "counter", "Call invites by their outcome.");
    for (state, counter) in InviteState::ALL.iter().zip(&metrics.invites_closed) {
        if *state != InviteState::Pending {
            page.line("handset_invites_closed_total", &[("outcome", state.word())], counter.get());
        }
    }
    page.head("handset_rings_due_total", "counter", "Rings that were due and handed to the bell.");
    page.line("handset_rings_due_total", &[], metrics.rings_due.get());
    page.head("handset_calls_ended_total", "counter", "Calls that ended.");
    page.line("handset_calls_ended_total", &[], metrics.calls_ended.get());
    page.head("handset_lines_open", "gauge", "Calls that are alive.");
    page.line("handset_lines_open", &[], metrics.lines.get());
    page.head("handset_utterances_total", "counter", "Recordings that came over calls' sockets.");
    page.line("handset_utterances_total", &[], metrics.utterances.get());
    page.head("handset_interruptions_total", "counter", "Replies that were stopped while they were spoken.");
    page.line("handset_interruptions_total", &[], metrics.interruptions.get());

    page.head("handset_streams_open", "gauge", "Open event streams.");
    page.line("handset_streams_open", &[], metrics.streams.get());

    let help = "Writes that shared one transaction.";
    page.histogram("handset_writer_batch_size", help, &metrics.batch);
    let help = "Time of a transaction with its commit.";
    page.histogram("handset_writer_commit_seconds", help, &metrics.commit);

    page.head("handset_rings_total", "counter", "Rings, by what came of them at one device.");
    for (outcome, counter) in RingOutcome::ALL.iter().zip(&metrics.rings) {
        page.line("handset_rings_total", &[("outcome", outcome.word())], counter.get());
    }
    let help = "How much later than due a ring was sent.";
    page.histogram("handset_ring_late_seconds", help, &metrics.ring_late);
    let help = "Time until a push service accepted a ring.";
    page.histogram("handset_ring_accepted_seconds", help, &metrics.ring_accepted);

    page.head(
        "handset_speech_pieces_total",
        "counter",
        "Sentences that a speech service was to speak, by what came of it.",
    );
    page.line("handset_speech_pieces_total", &[("outcome", "spoken")], metrics.speech_spoken.get());
    for (code, counter) in speech::Code::ALL.iter().zip(&metrics.speech_failed) {
        page.line("handset_speech_pieces_total", &[("outcome", code.word())], counter.get());
    }
    page.head(
        "handset_speech_characters_total",
        "counter",
        "Characters that a speech service was asked for.",
    );
    page.line("handset_speech_characters_total", &[], metrics.speech_characters.get());
    let help = "Time of a speech service for a sentence.";
    page.histogram("handset_speech_seconds", help, &metrics.speech_took);

    page.head("handset_store_degraded", "gauge", "1 while the store takes no writes.");
    page.line("handset_store_degraded", &[], metrics.degraded.get());
    page.0
}

struct Page(String);

impl Page {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// Label values are routes, methods and words of this program: none holds a quote, a backslash or a line break.
    fn line(&mut self, name: &str, labels: &[(&str, &str)], value: impl std::fmt::Display) {
        self.0.push_str(name);
        for (place, (label, word)) in labels.iter().enumerate() {
            let before = if place == 0 { '{' } else { ',' };
            let _ = write!(self.0, "{before}{label}=\"{word}\"");
        }
        if !labels.is_empty() {
            self.0.push('}');
        }
        let _ = writeln!(self.0, " {value}");
    }

    fn histogram<const N: usize>(&mut self, name: &str, help: &str, histogram: &Histogram<N>) {
        self.head(name, "histogram", help);
        let (cumulative, count, sum) = histogram.read();
        let bucket = format!("{name}_bucket");
        for (bound, upto) in cumulative {
            self.line(&bucket, &[("le", &bound.to_string())], upto);
        }
        self.line(&bucket, &[("le", "+Inf")], count);
        self.line(&format!("{name}_sum"), &[], sum);
        self.line(&format!("{name}_count"), &[], count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line is a comment or `name{labels} number`, and each family is announced once.
    #[test]
    fn the_page_is_prometheus_text() {
        let metrics = Metrics::new();
        metrics.request("/api/chats/{chat}", "GET", 200);
        metrics.request("/api/chats/{chat}", "GET", 200);
        metrics.card_closed(CardState::NoAnswer);
        metrics.batch.observe(3.0);
        let page = render(&metrics, 7);
        let mut families = Vec::new();
        for line in page.lines() {
            if let Some(help) = line.strip_prefix("# HELP ") {
                families.push(help.split(' ').next().unwrap());
            } else if !line.starts_with('#') {
                let (name, value) = line.rsplit_once(' ').unwrap();
                assert!(value.parse::<f64>().is_ok(), "{line}");
                assert!(name.starts_with(families.last().unwrap()), "{line}");
            }
        }
        let count = families.len();
        families.sort_unstable();
        families.dedup();
        assert_eq!(families.len(), count);
        for line in [
            r#"handset_requests_total{route="/api/chats/{chat}",method="GET",status="200"} 2"#,
            r#"handset_cards_closed_total{outcome="no_answer"} 1"#,
            "handset_cards_waiting 7",
            r#"handset_writer_batch_size_bucket{le="2"} 0"#,
            r#"handset_writer_batch_size_bucket{le="4"} 1"#,
            "handset_writer_batch_size_sum 3",
        ] {
            assert!(page.lines().any(|found| found == line), "{line}\n{page}");
        }
    }
}
