use proptest::prelude::*;

use super::*;

/// A second and a half of a reader's voice, in every container; the WAV is what the others were made of.
const CLIPS: &[(&str, &[u8], Container, &str)] = &[
    (
        "recorder.webm",
        include_bytes!("../../../../tests/fixtures/audio/recorder.webm"),
        Container::WebM,
        "Opus",
    ),
    (
        "speech.opus.ogg",
        include_bytes!("../../../../tests/fixtures/audio/speech.opus.ogg"),
        Container::Ogg,
        "Opus",
    ),
    (
        "stereo.opus.ogg",
        include_bytes!("../../../../tests/fixtures/audio/stereo.opus.ogg"),
        Container::Ogg,
        "Opus",
    ),
    (
        "speech.vorbis.ogg",
        include_bytes!("../../../../tests/fixtures/audio/speech.vorbis.ogg"),
        Container::Ogg,
        "Vorbis",
    ),
    (
        "index-at-end.m4a",
        include_bytes!("../../../../tests/fixtures/audio/index-at-end.m4a"),
        Container::Mp4,
        "AAC",
    ),
    (
        "fragmented.mp4",
        include_bytes!("../../../../tests/fixtures/audio/fragmented.mp4"),
        Container::Mp4,
        "AAC",
    ),
    (
        "fragmented.opus.mp4",
        include_bytes!("../../../../tests/fixtures/audio/fragmented.opus.mp4"),
        Container::Mp4,
        "Opus",
    ),
    ("speech.wav", include_bytes!("../../../../tests/fixtures/audio/speech.wav"), Container::Wav, "PCM"),
    ("speech.mp3", include_bytes!("../../../../tests/fixtures/audio/speech.mp3"), Container::Mp3, "MP3"),
    ("speech.flac", include_bytes!("../../../../tests/fixtures/audio/speech.flac"), Container::Flac, "FLAC"),
    ("speech.aac", include_bytes!("../../../../tests/fixtures/audio/speech.aac"), Container::Aac, "AAC"),
];

/// A codec that is not decoded, in a container that is read.
const OTHER_CODEC: &[u8] = include_bytes!("../../../../tests/fixtures/audio/other-codec.mka");

fn clip(name: &str) -> Vec<u8> {
    CLIPS.iter().find(|clip| clip.0 == name).unwrap().1.to_vec()
}

fn heard(bytes: Vec<u8>) -> Vec<f32> {
    let sound = decode(bytes, Limits::default()).unwrap();
    resample(&sound.samples, sound.rate)
}

fn fault(bytes: impl Into<Vec<u8>>) -> Fault {
    decode(bytes.into(), Limits::default()).unwrap_err()
}

/// How alike two sounds are when the second is shifted back by `lag`: 1 is the same.
fn likeness(truth: &[f32], other: &[f32], lag: usize) -> f64 {
    let pairs = || truth.iter().zip(other.iter().skip(lag)).map(|(a, b)| (f64::from(*a), f64::from(*b)));
    let (mut both, mut one, mut two) = (0.0, 0.0, 0.0);
    for (a, b) in pairs() {
        (both, one, two) = (both + a * b, one + a * a, two + b * b);
    }
    both / (one * two).sqrt()
}

#[test]
fn every_container_gives_the_same_voice() {
    let truth = heard(clip("speech.wav"));
    assert_eq!(truth.len(), 25_600);
    for (name, bytes, container, codec) in CLIPS {
        let sound =
            decode(bytes.to_vec(), Limits::default()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!((sound.container, sound.codec), (*container, *codec), "{name}");
        let samples = resample(&sound.samples, sound.rate);
        // AAC keeps the encoder's delay of 1024 samples; everything else begins where the voice does.
        let most = if *codec == "AAC" { 380 } else { 2 };
        let (lag, alike) = (0..=most)
            .map(|lag| (lag, likeness(&truth, &samples, lag)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap();
        // AAC at this rate makes up its noise.
        assert!(alike > if *codec == "AAC" { 0.9 } else { 0.95 }, "{name}: {alike:.4} at {lag}");
        assert!((samples.len() as f64 / 16_000.0 - 1.6).abs() < 0.03, "{name}: {} samples", samples.len());
    }
}

#[test]
fn p115_chunks_in_the_wrong_order_are_told_with_the_place_of_the_first() {
    let whole = clip("recorder.webm");
    let (first, second) = whole.split_at(3_000);
    let wrong = fault([second, first].concat());
    assert_eq!(wrong, Fault::WrongOrder { container: Container::WebM, at: Some(second.len()) });
    assert!(wrong.to_string().contains(&format!("at byte {}", second.len())), "{wrong}");
    // In the right order they are the recording.
    assert_eq!(heard([first, second].concat()), heard(whole.clone()));
    // Without the first there is nothing to find.
    let cluster = memchr::memmem::find(&whole, &[0x1f, 0x43, 0xb6, 0x75]).unwrap();
    assert_eq!(fault(&whole[cluster..]), Fault::WrongOrder { container: Container::WebM, at: None });
    let mp4 = clip("fragmented.mp4");
    let moof = memchr::memmem::find(&mp4, b"moof").unwrap() - 4;
    assert_eq!(
        fault([&mp4[moof..], &mp4[..moof]].concat()),
        Fault::WrongOrder { container: Container::Mp4, at: Some(mp4.len() - moof + 4) }
    );
    let ogg = clip("speech.opus.ogg");
    let second = memchr::memmem::find(&ogg[4..], b"OggS").unwrap() + 4;
    assert_eq!(fault(&ogg[second..]), Fault::WrongOrder { container: Container::Ogg, at: None });
}

#[test]
fn p121_an_index_at_the_end_is_found_and_without_it_the_file_is_cut() {
    let whole = clip("index-at-end.m4a");
    let index = memchr::memmem::find(&whole, b"moov").unwrap();
    assert!(index > whole.len() / 2, "the fixture has its index at the end");
    assert!(heard(whole.clone()).len() > 25_000);
    let cut = fault(&whole[..index - 4]);
    assert_eq!(cut, Fault::Truncated { container: Container::Mp4, seconds: 0.0 });
}

#[test]
fn p125_a_head_without_samples_is_told_as_one() {
    let head = wav(&[]);
    assert_eq!(head.len(), 44);
    let wrong = fault(head);
    assert_eq!(wrong, Fault::HeaderOnly { container: Container::Wav, bytes: 44 });
    assert!(wrong.to_string().contains("the head of a WAV and no samples (44 bytes)"), "{wrong}");
    let webm = clip("recorder.webm");
    let cluster = memchr::memmem::find(&webm, &[0x1f, 0x43, 0xb6, 0x75]).unwrap();
    for (head, container) in [
        (&webm[..cluster], Container::WebM),
        (&clip("speech.flac")[..42], Container::Flac),
        (&clip("speech.wav")[..44], Container::Wav),
        (&clip("speech.wav")[..10], Container::Wav),
    ] {
        assert_eq!(fault(head), Fault::HeaderOnly { container, bytes: head.len() });
    }
}

#[test]
fn what_is_cut_off_is_told_with_the_seconds_that_are_left() {
    for name in ["recorder.webm", "speech.opus.ogg", "fragmented.mp4", "speech.wav", "speech.flac"] {
        let whole = clip(name);
        let wrong = fault(&whole[..whole.len() * 3 / 4 + 1]);
        let Fault::Truncated { seconds, .. } = wrong else { panic!("{name}: {wrong:?}") };
        assert!((0.5..1.4).contains(&seconds), "{name}: {seconds}");
    }
}

#[test]
fn p123_damaged_bytes_are_told_as_damaged() {
    for name in ["recorder.webm", "speech.opus.ogg", "index-at-end.m4a", "speech.mp3"] {
        let mut bytes = clip(name);
        let from = bytes.len() / 4;
        let mut state = 1_u32;
        for byte in &mut bytes[from..] {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (state >> 24) as u8;
        }
        let wrong = decode(bytes, Limits::default()).expect_err(name);
        assert!(matches!(wrong, Fault::Corrupt { .. } | Fault::Truncated { .. }), "{name}: {wrong:?}");
    }
}

#[test]
fn what_is_no_sound_is_named_by_its_first_bytes() {
    assert_eq!(fault(b"".as_slice()), Fault::Empty);
    let html = fault(b"<!doctype html>".as_slice()).to_string();
    assert!(html.contains("it begins with 3C 21 64 6F 63 74 79 70 (HTML or XML). Send WebM"), "{html}");
    assert!(matches!(fault(b"#!AMR\n".as_slice()), Fault::UnknownContainer { known: Some("AMR"), .. }));
    assert!(matches!(fault(vec![7; 100]), Fault::UnknownContainer { known: None, .. }));
    let codec = fault(OTHER_CODEC);
    assert_eq!(codec, Fault::UnknownCodec { container: Container::WebM, codec: "AC-3".to_owned() });
}

#[test]
fn p121_no_sample_is_no_sound() {
    // A WAV whose samples are there, all but one byte of the first.
    let mut bytes = wav(&[]);
    bytes[4..8].copy_from_slice(&37_u32.to_le_bytes());
    bytes[40..44].copy_from_slice(&1_u32.to_le_bytes());
    bytes.push(0);
    assert!(matches!(fault(bytes), Fault::NoAudio { .. } | Fault::HeaderOnly { .. }));
}

#[test]
fn too_much_is_told_with_the_limit() {
    let few = Limits { megabytes: 25, seconds: 1 };
    for (name, bytes, ..) in CLIPS {
        assert_eq!(decode(bytes.to_vec(), few), Err(Fault::TooLong { seconds: 1 }), "{name}");
    }
    let small = Limits { megabytes: 0, seconds: 1 };
    assert_eq!(decode(clip("speech.wav"), small), Err(Fault::TooLarge { megabytes: 0 }));
}

#[test]
fn a_streamed_wav_does_not_know_its_length() {
    let mut bytes = clip("speech.wav");
    let data = memchr::memmem::find(&bytes, b"data").unwrap() + 4;
    for length in [u32::MAX, u32::MAX - 36, 0x7fff_ffff] {
        bytes[4..8].copy_from_slice(&length.saturating_add(36).to_le_bytes());
        bytes[data..data + 4].copy_from_slice(&length.to_le_bytes());
        assert_eq!(heard(bytes.clone()).len(), 25_600, "{length:x}");
    }
}

#[test]
fn a_tag_before_the_sound_is_passed_over() {
    let tag = b"ID3\x03\0\0\0\0\x01\x00";
    let tagged = [tag.as_slice(), &[0; 128], &clip("speech.flac")].concat();
    assert_eq!(heard(tagged), heard(clip("speech.flac")));
}

/// What is written can be read, to the last bit.
#[test]
fn a_wav_that_is_written_is_read() {
    let samples: Vec<f32> = (-400..400).map(|sample| sample as f32 / 400.0).collect();
    let read = heard(wav(&samples));
    for (one, other) in samples.iter().zip(&read) {
        assert!((one - other).abs() <= 1.0 / 32_768.0, "{one} {other}");
    }
}

/// A tone keeps its height and its loudness, and what is too high to be kept does not come back as something lower.
#[test]
fn a_tone_stays_what_it_is_at_another_rate() {
    for rate in [8_000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000, 44_099, 192_000] {
        let tone = |hz: f64, rate: u32| -> Vec<f32> {
            (0..rate)
                .map(|n| (std::f64::consts::TAU * hz * f64::from(n) / f64::from(rate)).sin() as f32)
                .collect()
        };
        let out = resample(&tone(1_000.0, rate), rate);
        assert!(out.len().abs_diff(16_000) <= 1, "{rate}: {}", out.len());
        let truth = tone(1_000.0, RATE);
        let worst = (1_000..15_000).map(|n| (out[n] - truth[n]).abs()).fold(0.0, f32::max);
        assert!(worst < 2e-3, "{rate}: {worst}");
        if rate > 20_000 {
            let high = resample(&tone(9_000.0, rate), rate);
            let loudest = high[1_000..15_000].iter().map(|sample| sample.abs()).fold(0.0, f32::max);
            assert!(loudest < 1e-3, "{rate}: {loudest}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Whatever happens to an upload on its way, it becomes sound or a sentence.
    #[test]
    fn any_damage_is_sound_or_a_fault(
        which in 0..CLIPS.len(),
        cut in 0.0..=1.0_f64,
        flips in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 0..12),
        extra in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut bytes = CLIPS[which].1.to_vec();
        bytes.truncate((bytes.len() as f64 * cut) as usize);
        for (place, byte) in flips {
            let at = (bytes.len() as f64 * place) as usize;
            if let Some(at) = bytes.get_mut(at) {
                *at = byte;
            }
        }
        bytes.extend(extra);
        match decode(bytes, Limits::default()) {
            Ok(sound) => {
                prop_assert!(!sound.samples.is_empty());
                prop_assert!(resample(&sound.samples, sound.rate).iter().all(|sample| sample.is_finite()));
            }
            Err(fault) => prop_assert!(fault.to_string().len() > 20, "{:?}", fault),
        }
    }

    /// And so do bytes that only begin like sound.
    #[test]
    fn any_bytes_are_sound_or_a_fault(
        which in 0..CLIPS.len(),
        kept in 0..64_usize,
        rest in prop::collection::vec(any::<u8>(), 0..2_000),
    ) {
        let bytes = [&CLIPS[which].1[..kept], &rest].concat();
        if let Err(fault) = decode(bytes, Limits::default()) {
            prop_assert!(fault.to_string().len() > 20, "{:?}", fault);
        }
    }
}
