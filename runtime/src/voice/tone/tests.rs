use proptest::prelude::*;

use super::*;
use handset_spec::Language;
use handset_spec::tone::Feature;

/// A sequence that is the same in every run: xorshift, from 0 to 1.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// By the sum of twelve.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// A clip of a speaker who never changes: each figure is drawn anew. `together` is how much of what moves one moves all.
fn clip(chance: &mut Chance, together: f64) -> Features {
    let mood = chance.normal();
    let mut draw = |middle: f64, spread: f64| {
        let own = chance.normal();
        middle * (spread * (together.sqrt() * mood + (1.0 - together).sqrt() * own)).exp()
    };
    Features {
        dur: draw(4.0, 0.5),
        pitch: Some(draw(180.0, 0.1)),
        pitch_var: Some(draw(40.0, 0.3)),
        energy: draw(0.04, 0.4),
        pause: draw(0.4, 0.2),
        rate: Some(draw(12.0, 0.2)),
        tail: Some(draw(0.8, 0.3)),
    }
}

const LIMITS: Limits = Limits { min: 25, most: 2 };

/// No cue beats a wrong cue: of a speaker who never changes a third or more is left without any.
#[test]
fn a_stationary_speaker_is_mostly_left_alone() {
    for together in [0.0, 0.4] {
        let (mut chance, mut baseline) = (Chance(0x9e37_79b9_7f4a_7c15), Baseline::default());
        let (mut silent, mut most) = (0, 0);
        for index in 0..5_000 {
            let features = clip(&mut chance, together);
            let found = cues(&features, &baseline, LIMITS);
            assert!(index >= 25 || found.is_empty(), "clip {index} has {found:?}");
            if index >= 25 {
                silent += usize::from(found.is_empty());
                most = most.max(found.len());
            }
            baseline.remember(features, 400);
        }
        let share = silent as f64 / 4_975.0;
        println!(
            "a stationary speaker, {together} of each figure shared: {:.1} % without a cue",
            share * 100.0
        );
        assert!(share >= 1.0 / 3.0, "{share} of the clips are without a cue");
        assert!(share < 0.7, "{share}: hardly anything is ever said");
        assert_eq!(most, 2);
    }
}

/// Each tier is reached as often as its percentile says, so none is one that cannot occur or always does.
#[test]
fn each_tier_is_met_as_often_as_it_says() {
    let (mut chance, mut baseline) = (Chance(7), Baseline::default());
    let mut met: Vec<(Feature, f64, usize)> = Vec::new();
    for index in 0..6_400 {
        let features = clip(&mut chance, 0.0);
        if index >= 400 {
            for cue in cues(&features, &baseline, Limits { min: 25, most: usize::MAX }) {
                match met.iter_mut().find(|met| (met.0, met.1) == (cue.feature, cue.tier.percentile)) {
                    Some(met) => met.2 += 1,
                    None => met.push((cue.feature, cue.tier.percentile, 1)),
                }
            }
        }
        baseline.remember(features, 400);
    }
    for feature in Feature::ALL.iter().copied() {
        for side in [feature.below(), feature.above()] {
            let mut inner = 0.0;
            for tier in side {
                // Beyond this tier, and not beyond the stronger one.
                let outside = if tier.percentile < 50.0 { tier.percentile } else { 100.0 - tier.percentile };
                let expected = outside - inner;
                inner = outside;
                let count = met
                    .iter()
                    .find(|met| (met.0, met.1) == (feature, tier.percentile))
                    .map_or(0, |met| met.2);
                let share = count as f64 / 60.0;
                assert!((share - expected).abs() < 1.6, "{feature:?} at {}: {share} %", tier.percentile);
            }
        }
    }
}

#[test]
fn what_is_described_is_not_yet_remembered() {
    let mut chance = Chance(3);
    let mut baseline = Baseline::new((0..30).map(|_| clip(&mut chance, 0.0)));
    let quiet = Features { energy: 0.000_1, ..clip(&mut chance, 0.0) };
    let said =
        |baseline: &Baseline| cues(&quiet, baseline, LIMITS).iter().any(|cue| cue.feature == Feature::Energy);
    assert!(said(&baseline));
    for _ in 0..30 {
        baseline.remember(quiet, 400);
    }
    assert!(!said(&baseline), "what one always does is nothing unusual");
    for _ in 0..400 {
        baseline.remember(clip(&mut chance, 0.0), 400);
    }
    assert!(said(&baseline), "the oldest are let go");
}

#[test]
fn the_prefix_is_the_documents_own() {
    let chosen = |feature: Feature, percentile: f64| Cue {
        feature,
        tier: feature
            .below()
            .iter()
            .chain(feature.above())
            .find(|tier| tier.percentile == percentile)
            .unwrap(),
    };
    let cues = [chosen(Feature::Energy, 12.0), chosen(Feature::Pause, 92.0)];
    let english = |emotion, cues: &[Cue]| prefix(emotion, cues, Language::En);
    assert_eq!(english(Some(Emotion::Sad), &cues), "[voice call · sad · quiet, lots of pauses]");
    assert_eq!(english(None, &cues[..1]), "[voice call · quiet]");
    assert_eq!(english(Some(Emotion::Happy), &[]), "[voice call · happy]");
    assert_eq!(english(None, &[]), "[voice call]");
    assert!(is_soft(&cues) && !is_soft(&cues[1..]));
    assert!(prefix(Some(Emotion::Sad), &cues, Language::Zh).starts_with("[voice call · "));
}

/// A tone with what a voice has of overtones.
fn tone(hz: f64, seconds: f64, loud: f64) -> Vec<f32> {
    let count = (seconds * RATE as f64) as usize;
    (0..count)
        .map(|at| {
            let turn = std::f64::consts::TAU * hz * at as f64 / RATE as f64;
            (loud * (0.6 * turn.sin() + 0.3 * (2.0 * turn).sin() + 0.1 * (3.0 * turn).sin())) as f32
        })
        .collect()
}

#[test]
fn figures_of_tones_are_what_they_are_made_of() {
    for hz in [82.0, 110.0, 196.5, 247.0, 311.0] {
        let features = measure(&tone(hz, 2.0, 0.5), Some("twelve letters")).unwrap();
        assert!((features.pitch.unwrap() - hz).abs() < 0.02 * hz, "{hz}: {features:?}");
        assert!(features.pitch_var.unwrap() < 0.05 * hz, "{hz}: {features:?}");
        assert!((features.tail.unwrap() - 1.0).abs() < 0.1);
        assert!((features.dur - 2.0).abs() < 1e-9);
        assert!((features.rate.unwrap() - 6.5).abs() < 0.2);
    }
    let loud = |loud| measure(&tone(150.0, 2.0, loud), None).unwrap().energy;
    assert!((loud(0.8) / loud(0.4) - 2.0).abs() < 1e-6);
}

#[test]
fn a_clip_of_silence_or_noise_has_no_pitch() {
    let silent = measure(&vec![0.0; RATE], Some("words")).unwrap();
    assert_eq!((silent.pitch, silent.rate, silent.tail, silent.energy), (None, None, None, 0.0));
    let mut chance = Chance(11);
    let noise: Vec<f32> = (0..RATE).map(|_| (chance.next() - 0.5) as f32).collect();
    assert_eq!(measure(&noise, None).unwrap().pitch, None);
}

/// Two frames are transformed as one: neither a thousand times louder neighbour nor one that is no number may be heard in the other.
#[test]
fn a_frames_pitch_is_not_its_neighbours() {
    let quiet = tone(171.0, 0.4, 0.000_3);
    let (_, alone) = frames(&quiet);
    let mut chance = Chance(3);
    for hops in [3, 4] {
        for loudest in [1.0_f32, f32::NAN, f32::INFINITY] {
            let mut samples: Vec<f32> =
                (0..hops * HOP).map(|_| (chance.next() as f32 - 0.5) * loudest).collect();
            samples.extend_from_slice(&quiet);
            let (_, beside) = frames(&samples);
            // The first frame of the quiet part reaches into what is before it.
            for (at, (beside, alone)) in beside[hops + 1..].iter().zip(&alone[1..]).enumerate() {
                assert!((beside.hz - alone.hz).abs() < 0.002, "{hops} {loudest} {at}: {beside:?} {alone:?}");
                assert!((beside.periodicity - alone.periodicity).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn what_trails_off_has_a_quiet_tail_and_pauses_are_counted() {
    let mut clip = tone(150.0, 3.0, 0.8);
    clip.extend(tone(150.0, 1.0, 0.2));
    assert!(measure(&clip, None).unwrap().tail.unwrap() < 0.5);
    let mut halting = tone(150.0, 1.0, 0.5);
    let mut chance = Chance(5);
    halting.extend((0..RATE).map(|_| ((chance.next() - 0.5) * 0.002) as f32));
    halting.extend(tone(150.0, 1.0, 0.5));
    let pause = measure(&halting, None).unwrap().pause;
    assert!((0.25..0.4).contains(&pause), "{pause}");
}

#[test]
fn under_the_shortest_nothing_is_measured() {
    assert_eq!(measure(&tone(150.0, 0.59, 0.5), None), None);
    assert!(measure(&tone(150.0, 0.61, 0.5), None).is_some());
    assert_eq!(measure(&[], None), None);
}

proptest! {
    // Each takes a second without optimisation.
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_samples_are_measured_without_a_fault(
        samples in proptest::collection::vec(prop_oneof![-1.0_f32..1.0, Just(0.0), Just(1.0), Just(-1.0)], 9_600..14_000),
    ) {
        let features = measure(&samples, Some("words")).unwrap();
        for feature in Feature::ALL {
            if let Some(value) = features.get(*feature) {
                prop_assert!(value.is_finite() && value >= 0.0, "{feature:?} is {value}");
            }
        }
        prop_assert!(features.pause <= 1.0);
    }
}

/// `tests/voice/tone` holds ten clips against librosa itself; this one against the figures that it wrote down.
#[test]
fn figures_are_librosas() {
    let values = include_str!("../../../../tests/voice/librosa/values.json");
    let values: serde_json::Value = serde_json::from_str(values).unwrap();
    let clip = values["clips"].as_array().unwrap().iter().find(|clip| clip["file"] == "speech.wav").unwrap();
    let bytes = include_bytes!("../../../../tests/fixtures/audio/speech.wav");
    let samples = crate::voice::audio::decode(bytes.to_vec(), Default::default()).unwrap().samples;
    let (loudness, pitches) = frames(&samples);
    let theirs: Vec<f64> = clip["f0"].as_array().unwrap().iter().map(|hz| hz.as_f64().unwrap()).collect();
    assert_eq!(pitches.len(), theirs.len());
    let both = pitches.iter().zip(&theirs).zip(voiced(&loudness, &pitches));
    let off: Vec<f64> =
        both.filter(|(_, voiced)| *voiced).map(|((pitch, hz), _)| (pitch.hz - hz).abs()).collect();
    assert!(off.len() > 10 && off.iter().all(|off| *off < 0.000_5), "{off:?}");
    let features = measure(&samples, None).unwrap();
    for (ours, name) in [(features.energy, "energy"), (features.pause, "pause")] {
        let theirs = clip[name].as_f64().unwrap();
        assert!((ours - theirs).abs() < 0.000_05 * theirs, "{name}: {ours}, and librosa's is {theirs}");
    }
}

/// What the demo understands is what was said, however it sounded.
#[test]
fn a_prefix_is_taken_off_and_nothing_else_is() {
    let cues: Vec<Cue> = Vec::new();
    for prefix in [prefix(None, &cues, Language::En), prefix(Some(Emotion::Sad), &cues, Language::Zh)] {
        assert_eq!(unprefixed(&format!("{prefix} Read me something.")), "Read me something.");
    }
    for words in ["Read me something.", "[voice] [call]", "", "[voice call"] {
        assert_eq!(unprefixed(words), words);
    }
}
