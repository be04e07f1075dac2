use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// A queue with everything that came of it.
struct Run {
    queue: Queue,
    asked: Vec<(usize, Utterance)>,
    /// Asked for and not answered.
    under_way: Vec<usize>,
    told: Vec<Event>,
}

impl Run {
    fn new(limit: Option<usize>, paced: bool) -> Self {
        let manner = Manner { language: Some("en".to_owned()), soft: true, paced };
        Self { queue: Queue::new(limit, manner), asked: Vec::new(), under_way: Vec::new(), told: Vec::new() }
    }

    fn does(&mut self, act: impl FnOnce(&mut Queue, &mut dyn FnMut(Step))) {
        let Self { queue, asked, under_way, told } = self;
        act(queue, &mut |step| match step {
            Step::Ask(number, utterance) => {
                asked.push((number, utterance));
                under_way.push(number);
            }
            Step::Tell(event) => told.push(event),
        });
    }

    fn push(&mut self, text: &str) {
        self.does(|queue, out| queue.push(text, out));
    }

    fn finish(&mut self) {
        self.does(|queue, out| queue.finish(out));
    }

    fn answer(&mut self, number: usize, answer: Result<Vec<u8>, Fault>) {
        self.under_way.retain(|asked| *asked != number);
        self.does(|queue, out| queue.answer(number, answer, out));
    }

    fn says(&mut self, number: usize) {
        self.answer(number, Ok(audio(number)));
    }

    fn fails(&mut self, number: usize, code: Code) {
        self.answer(number, Err(Fault::new(code, "")));
    }

    fn asked(&self) -> Vec<usize> {
        self.asked.iter().map(|(number, _)| *number).collect()
    }

    /// The outcomes that were told: a piece's number, and what its audio is.
    fn outcomes(&self) -> Vec<(usize, Result<(), Code>)> {
        let outcome = |event: &Event| match event {
            Event::Audio { number, audio } => {
                Some((*number, audio.as_ref().map(drop).map_err(|fault| fault.code)))
            }
            _ => None,
        };
        self.told.iter().filter_map(outcome).collect()
    }
}

fn audio(number: usize) -> Vec<u8> {
    vec![u8::try_from(number % 256).unwrap()]
}

#[test]
fn a_sentence_is_asked_for_when_it_is_whole_and_one_behind_it() {
    let mut run = Run::new(Some(800), false);
    run.push("One. Two. Thr");
    assert_eq!(run.asked(), [0, 1]);
    run.push("ee. Four. Five");
    assert_eq!(run.asked(), [0, 1], "two at once at most");
    run.says(0);
    assert_eq!(run.asked(), [0, 1, 2]);
    run.finish();
    run.says(2);
    assert_eq!(run.asked(), [0, 1, 2, 3]);
    assert_eq!(run.outcomes(), [(0, Ok(()))], "the second is not there yet");
    run.says(1);
    assert_eq!(run.outcomes(), [(0, Ok(())), (1, Ok(())), (2, Ok(()))]);
    let (_, third) = &run.asked[2];
    assert_eq!(
        (third.before.as_str(), third.text.as_str(), third.after.as_str()),
        ("Two.", "Three.", "Four.")
    );
    assert_eq!((third.language.as_deref(), third.soft), (Some("en"), true));
}

#[test]
fn each_piece_is_asked_for_in_its_own_language() {
    let mut run = Run::new(Some(800), false);
    run.push("Good night. \u{665a}\u{5b89}\u{3002}");
    run.finish();
    let asked: Vec<_> = run.asked.iter().map(|(_, utterance)| utterance.language.as_deref()).collect();
    assert_eq!(asked, [Some("en"), Some("zh")], "its letters go before what is likely");
    let told = run.told.iter().filter_map(|event| match event {
        Event::Piece(piece) => Some(piece.language.as_deref()),
        _ => None,
    });
    assert!(told.eq([Some("en"), Some("zh")]));
}

#[test]
fn p067_p069_nothing_speakable_is_not_asked_for() {
    for reply in ["", "\u{1f600}\u{1f600}", "...", "\n\n", "```\nlet x = 1;\n```"] {
        let mut run = Run::new(Some(800), false);
        run.push(reply);
        run.finish();
        assert!(run.asked.is_empty(), "{reply:?}");
        assert_eq!(run.told, [Event::Whole { pieces: 0, rest: reply.to_owned() }]);
        assert!(run.queue.is_over());
    }
}

#[test]
fn p063_words_that_were_said_are_not_said_again() {
    let mut run = Run::new(Some(800), false);
    for part in ["*smiles* Hello", " there, good to see you.", " *smiles* Hello there, good to see you."] {
        run.push(part);
    }
    run.finish();
    let said: Vec<_> = run.asked.iter().map(|(_, utterance)| utterance.text.as_str()).collect();
    assert_eq!(said, ["smiles Hello there, good to see you.", "smiles Hello there, good to see you."]);
}

#[test]
fn a_failed_piece_keeps_its_place_and_the_rest_goes_on() {
    let mut run = Run::new(Some(800), false);
    run.push("One. Two. Three.");
    run.finish();
    run.says(1);
    run.fails(0, Code::Busy);
    // What comes twice, and what nobody asked for, is nothing.
    for number in [0, 1, 7] {
        run.says(number);
    }
    assert!(!run.queue.is_over(), "the third is under way");
    run.says(2);
    assert_eq!(run.outcomes(), [(0, Err(Code::Busy)), (1, Ok(())), (2, Ok(()))]);
    assert!(run.queue.is_over());
}

#[test]
fn after_enough_failures_in_a_row_the_browser_speaks_the_rest() {
    let mut run = Run::new(Some(800), false);
    run.push("One. Two. Three. Four. Five. Six. Seven.");
    run.fails(0, Code::Slow);
    run.says(1);
    for number in 2..5 {
        run.fails(number, Code::Slow);
    }
    assert_eq!(run.asked(), [0, 1, 2, 3, 4, 5], "the sixth was under way");
    run.says(5);
    run.push(" Eight.");
    run.finish();
    assert_eq!(run.asked().len(), 6);
    assert_eq!(run.outcomes()[5..], [(5, Ok(())), (6, Err(Code::GivenUp)), (7, Err(Code::GivenUp))]);
    assert!(run.queue.is_over());
}

#[test]
fn what_cannot_get_better_is_not_tried_again() {
    for (code, then) in [(Code::Misconfigured, Code::GivenUp), (Code::OverQuota, Code::OverQuota)] {
        let mut run = Run::new(Some(800), false);
        run.push("One. Two. Three.");
        run.fails(0, code);
        run.says(1);
        run.finish();
        assert_eq!(run.asked(), [0, 1]);
        assert_eq!(run.outcomes(), [(0, Err(code)), (1, Ok(())), (2, Err(then))]);
    }
}

#[test]
fn with_a_pace_no_more_is_asked_for_than_will_be_played_next() {
    let long = |word: &str| format!("{} . ", vec![word; 40].join(" "));
    let mut run = Run::new(Some(800), true);
    for word in ["once", "twice", "thrice", "often"] {
        run.push(&format!("{}.\n", long(word).trim_end_matches(" . ")));
    }
    run.says(0);
    run.says(1);
    assert_eq!(run.asked(), [0, 1]);
    run.does(|queue, out| queue.played(0, out));
    assert_eq!(run.asked(), [0, 1, 2]);
    // Short ones are over before an answer comes.
    let mut run = Run::new(Some(800), true);
    run.push("Yes. No. Yes! No! Yes?\nNo?\n");
    for number in 0..6 {
        run.says(number);
    }
    assert_eq!(run.asked().len(), 6);
}

#[test]
fn the_browser_speaks_where_there_is_no_service() {
    let mut run = Run::new(None, false);
    run.push("One. Two");
    run.finish();
    assert!(run.asked.is_empty() && run.outcomes().is_empty());
    assert!(matches!(&run.told[..], [Event::Piece(_), Event::Piece(_), Event::Whole { pieces: 2, .. }]));
    assert!(run.queue.is_over());
}

/// What happens to a queue, in a test.
#[derive(Clone, Debug)]
enum Happens {
    /// So many more characters come.
    Text(usize),
    /// One of the requests under way is answered.
    Answer(usize, bool),
    Pause,
    Played,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        4 => (1..30_usize).prop_map(Happens::Text),
        4 => (0..UNDER_WAY, prop::bool::weighted(0.8)).prop_map(|(which, well)| Happens::Answer(which, well)),
        1 => Just(Happens::Pause),
        2 => Just(Happens::Played),
    ]
}

proptest! {
    /// However the text is cut and in whatever order answers come: pieces are numbered in order and cover the reply, every one has
    /// one outcome, in order and its own, and never are more than two asked for at once.
    #[test]
    fn order_and_coverage_hold(
        reply in "(([a-z]{1,6}|[\u{4e00}-\u{4eff}]{1,4}|\u{1f600}|\\*)[.!?,。！？ \n]{0,2}){0,60}",
        events in prop::collection::vec(happens(), 0..120),
        limit in 2..60_usize,
        paced in any::<bool>(),
        server in any::<bool>(),
    ) {
        let mut run = Run::new(server.then_some(limit), paced);
        let mut text = reply.as_str();
        let mut played = 0;
        for event in events {
            match event {
                Happens::Text(count) => {
                    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
                    let (now, later) = text.split_at(end);
                    run.push(now);
                    text = later;
                }
                Happens::Answer(which, well) => {
                    let Some(&number) = run.under_way.get(which) else { continue };
                    if well { run.says(number) } else { run.fails(number, Code::Busy) }
                }
                Happens::Pause => run.does(|queue, out| queue.pause(out)),
                Happens::Played => {
                    run.does(|queue, out| queue.played(played, out));
                    played += 1;
                }
            }
            prop_assert!(run.under_way.len() <= UNDER_WAY);
        }
        run.push(text);
        run.finish();
        // To the end, the last first.
        for number in 0.. {
            if let Some(&asked) = run.under_way.last() {
                run.says(asked);
            } else if number < run.queue.slots.len() {
                run.does(|queue, out| queue.played(number, out));
            } else {
                break;
            }
        }
        prop_assert!(run.queue.is_over());
        let mut shown = String::new();
        let (mut pieces, mut outcomes, mut whole) = (0, 0, None);
        for event in &run.told {
            match event {
                Event::Piece(piece) => {
                    prop_assert!(whole.is_none());
                    prop_assert_eq!((piece.number, piece.from), (pieces, shown.len()));
                    shown += &piece.shown;
                    prop_assert_eq!(piece.to, shown.len());
                    pieces += 1;
                }
                Event::Audio { number, audio: outcome } => {
                    prop_assert!(*number == outcomes && *number < pieces);
                    if let Ok(bytes) = outcome {
                        prop_assert_eq!(bytes, &audio(*number));
                    }
                    outcomes += 1;
                }
                Event::Whole { pieces: told, rest } => {
                    prop_assert_eq!(*told, pieces);
                    shown += rest;
                    whole = Some(());
                }
            }
        }
        prop_assert_eq!(&shown, &reply);
        prop_assert!(whole.is_some());
        prop_assert_eq!(outcomes, if server { pieces } else { 0 });
        let asked: Vec<_> = run.asked();
        prop_assert!(asked.is_sorted());
        prop_assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), asked.len());
    }
}
