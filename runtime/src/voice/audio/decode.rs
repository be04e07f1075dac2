//! The samples in an upload.

use std::fmt;
use std::io::{Cursor, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};

use symphonia::core::audio::GenericAudioBufferRef;
use symphonia::core::codecs::audio::well_known as codec;
use symphonia::core::codecs::audio::{AudioCodecId, AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::{FormatReader, TrackType};
use symphonia::core::io::{MediaSource, MediaSourceStream, ReadOnlySource};
use symphonia::default::formats::{
    AdtsReader, FlacReader, IsoMp4Reader, MkvReader, MpaReader, OggReader, WavReader,
};

use super::opus::Opus;
use super::{Container, Fault, RATE, whole};

/// How much is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest upload, in megabytes (a million bytes each).
    pub megabytes: u32,
    /// The longest recording, in seconds.
    pub seconds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { megabytes: 25, seconds: 300 }
    }
}

impl Limits {
    /// The largest upload, in bytes.
    #[must_use]
    pub fn bytes(self) -> usize {
        // Where a number is smaller than this one, memory is too.
        usize::try_from(u64::from(self.megabytes) * 1_000_000).unwrap_or(usize::MAX)
    }
}

/// What was in an upload.
#[derive(Clone, PartialEq)]
pub struct Sound {
    /// One channel, mostly between -1 and 1.
    pub samples: Vec<f32>,
    /// Samples a second.
    pub rate: u32,
    /// What it came in.
    pub container: Container,
    /// How it was written.
    pub codec: &'static str,
}

impl fmt::Debug for Sound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nobody reads a hundred thousand figures.
        write!(
            f,
            "Sound({:.3} s of {} at {} in {})",
            self.seconds(),
            self.codec,
            self.rate,
            self.container.name()
        )
    }
}

impl Sound {
    /// Its length.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate)
    }
}

/// Rates that are sound; others are a damaged head.
const RATES: std::ops::RangeInclusive<u32> = 2_000..=384_000;
/// Of so many packets one may be damaged: a stream that was cut into has one at its beginning.
const DAMAGED: usize = 10;
/// A recording that says its length may be this much shorter, in seconds: encoders count what they added.
const SHORTER: f64 = 0.15;
/// In so many bytes there is hardly room for more than a head.
const HEAD: usize = 1_024;
/// A head that speaks of this many bytes or more is one of a stream, whose length nobody knew.
const UNKNOWN_LENGTH: u64 = 0x7fff_0000;

/// Takes the samples out of an upload, whatever its bytes are.
///
/// # Errors
/// What is wrong with it.
pub fn decode(bytes: Vec<u8>, limits: Limits) -> Result<Sound, Fault> {
    if bytes.len() > limits.bytes() {
        return Err(Fault::TooLarge { megabytes: limits.megabytes });
    }
    let (container, from) = Container::of(&bytes)?;
    // The readers are others' code over hostile bytes: where one gives up in its own way, the upload is damaged all the same.
    catch_unwind(AssertUnwindSafe(|| read(bytes, from, container, limits)))
        .unwrap_or_else(|_| Err(Fault::Corrupt { container, what: "its reader gave up".to_owned() }))
}

fn read(mut bytes: Vec<u8>, from: usize, container: Container, limits: Limits) -> Result<Sound, Fault> {
    let length = bytes.len();
    let cut = match container {
        Container::Ogg => whole::ogg_is_cut(&bytes),
        Container::WebM => whole::webm_is_cut(&bytes),
        Container::Mp4 => whole::mp4_is_cut(&bytes),
        _ => false,
    };
    bytes.drain(..from.min(length));
    let mut reader = open(bytes, container).map_err(|error| at_the_head(error, container, length, cut))?;
    let track = reader.default_track(TrackType::Audio).ok_or(Fault::NoAudio { container })?;
    let (id, base, told) = (track.id, track.time_base, track.num_frames);
    let parameters = track.codec_params.as_ref().and_then(|parameters| parameters.audio());
    let parameters = parameters.ok_or(Fault::NoAudio { container })?.clone();
    let unknown = |codec: String| Fault::UnknownCodec { container, codec };
    let named = name(parameters.codec).ok_or_else(|| unknown("a codec that it does not name".to_owned()))?;
    let mut decoder = Track::new(&parameters, container).map_err(unknown)?;
    let mut heard = Heard {
        samples: Vec::new(),
        interleaved: Vec::new(),
        rate: parameters.sample_rate.unwrap_or(0),
        most: limits.seconds,
    };
    let (mut packets, mut damaged) = (0_usize, 0_usize);
    let ended = loop {
        let packet = match reader.next_packet() {
            Ok(Some(packet)) => packet,
            // Chained streams: what comes after the first is another recording.
            Ok(None) | Err(Error::ResetRequired) => break false,
            Err(Error::IoError(error)) if error.kind() == ErrorKind::UnexpectedEof => break true,
            Err(error) => return Err(Fault::Corrupt { container, what: what(&error) }),
        };
        if packet.track_id != id {
            continue;
        }
        packets += 1;
        let done = match &mut decoder {
            Track::Opus(opus) => {
                heard.rate = RATE;
                let ticks = packet.trim_end.get();
                // Containers count in ticks of their own; Ogg's are samples.
                let trim = if base.is_some_and(|base| base.denom.get() == 48_000) { ticks } else { 0 };
                opus.packet(&packet.data, trim, &mut heard.samples)
            }
            Track::Other(decoder) => {
                decoder.decode(&packet).map_err(drop).and_then(|buffer| heard.take(&buffer))
            }
        };
        damaged += usize::from(done.is_err());
        if heard.is_too_long() {
            return Err(Fault::TooLong { seconds: limits.seconds });
        }
    };
    let Heard { samples, rate, .. } = heard;
    let seconds = if rate == 0 { 0.0 } else { samples.len() as f64 / f64::from(rate) };
    if damaged * DAMAGED > packets {
        let what = format!("{damaged} of its {packets} packets cannot be decoded");
        return Err(Fault::Corrupt { container, what });
    }
    if samples.is_empty() {
        return Err(match packets {
            0 if length < HEAD => Fault::HeaderOnly { container, bytes: length },
            0 if cut || ended => Fault::Truncated { container, seconds },
            _ => Fault::NoAudio { container },
        });
    }
    if cut || (ended && told_to_be_whole(container)) || is_shorter(told, &parameters, length, seconds) {
        return Err(Fault::Truncated { container, seconds });
    }
    if !RATES.contains(&rate) {
        return Err(Fault::Corrupt {
            container,
            what: format!("it says that it has {rate} samples a second"),
        });
    }
    Ok(Sound { samples, rate, container, codec: named })
}

/// The reader of a container; no other is asked.
fn open(bytes: Vec<u8>, container: Container) -> Result<Box<dyn FormatReader>, Error> {
    let bytes = Cursor::new(bytes);
    let source: Box<dyn MediaSource> = match container {
        // Where it could seek, its reader would guess a length; so it tells one only where the head has it.
        Container::Mp3 => Box::new(ReadOnlySource::new(bytes)),
        _ => Box::new(bytes),
    };
    let source = MediaSourceStream::new(source, Default::default());
    let options = Default::default();
    Ok(match container {
        Container::WebM => Box::new(MkvReader::try_new(source, options)?),
        Container::Ogg => Box::new(OggReader::try_new(source, options)?),
        Container::Mp4 => Box::new(IsoMp4Reader::try_new(source, options)?),
        Container::Wav => Box::new(WavReader::try_new(source, options)?),
        Container::Flac => Box::new(FlacReader::try_new(source, options)?),
        Container::Mp3 => Box::new(MpaReader::try_new(source, options)?),
        Container::Aac => Box::new(AdtsReader::try_new(source, options)?),
    })
}

/// What it means that a container could not even be opened.
fn at_the_head(error: Error, container: Container, bytes: usize, cut: bool) -> Fault {
    match error {
        Error::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            if bytes < HEAD {
                Fault::HeaderOnly { container, bytes }
            } else if cut {
                Fault::Truncated { container, seconds: 0.0 }
            } else {
                Fault::Corrupt { container, what: "no sound is found behind its head".to_owned() }
            }
        }
        // The index at the end is what a cut takes away.
        Error::Unsupported(what) if container == Container::Mp4 && what.contains("moov") => {
            Fault::Truncated { container, seconds: 0.0 }
        }
        Error::Unsupported(_) if container == Container::Wav => {
            Fault::UnknownCodec { container, codec: "samples of a kind that is rare in a WAV".to_owned() }
        }
        error => Fault::Corrupt { container, what: what(&error) },
    }
}

fn what(error: &Error) -> String {
    match error {
        Error::DecodeError(what) | Error::Unsupported(what) | Error::LimitError(what) => (*what).to_owned(),
        error => error.to_string(),
    }
}

/// Whether running out of bytes means that some are missing. A stream of bare frames is cut anywhere, what recorders stream is
/// asked by its parts, and a WAV says how long it is or does not know.
fn told_to_be_whole(container: Container) -> bool {
    matches!(container, Container::Mp4 | Container::Flac)
}

/// Whether there is less than the head says. What it says of a stream's length is no length.
fn is_shorter(told: Option<u64>, parameters: &AudioCodecParameters, bytes: usize, seconds: f64) -> bool {
    let says = [codec::CODEC_ID_FLAC, codec::CODEC_ID_AAC, codec::CODEC_ID_MP3];
    let is_told = says.contains(&parameters.codec) || is_pcm(parameters.codec);
    let (Some(frames), Some(rate), true) = (told, parameters.sample_rate, is_told) else { return false };
    let width = u64::from(parameters.bits_per_sample.unwrap_or(8).div_ceil(8))
        * parameters.channels.as_ref().map_or(1, |channels| channels.count() as u64);
    let is_stream =
        is_pcm(parameters.codec) && frames.saturating_mul(width) >= UNKNOWN_LENGTH && bytes < 0x7fff_0000;
    !is_stream && frames as f64 / f64::from(rate.max(1)) - seconds > SHORTER
}

/// A track's decoder.
enum Track {
    Opus(Box<Opus>),
    Other(Box<dyn AudioDecoder>),
}

impl Track {
    fn new(parameters: &AudioCodecParameters, container: Container) -> Result<Self, String> {
        if parameters.codec == codec::CODEC_ID_OPUS {
            return Opus::new(parameters.extra_data.as_deref(), container)
                .map(|opus| Self::Opus(Box::new(opus)));
        }
        let options = AudioDecoderOptions::default();
        symphonia::default::get_codecs()
            .make_audio_decoder(parameters, &options)
            .map(Self::Other)
            .map_err(|_| name(parameters.codec).unwrap_or("a codec that it does not name").to_owned())
    }
}

/// What was decoded so far.
struct Heard {
    samples: Vec<f32>,
    /// The piece at hand, as it came.
    interleaved: Vec<f32>,
    rate: u32,
    most: u32,
}

impl Heard {
    /// Takes a piece, mixed to one channel.
    fn take(&mut self, buffer: &GenericAudioBufferRef<'_>) -> Result<(), ()> {
        let (rate, channels) = (buffer.spec().rate(), buffer.num_planes());
        if buffer.frames() == 0 {
            return Ok(());
        }
        // A stream that changes its rate in the middle is none that a recorder makes.
        if channels == 0 || (!self.samples.is_empty() && rate != self.rate) {
            return Err(());
        }
        self.rate = rate;
        buffer.copy_to_vec_interleaved(&mut self.interleaved);
        if channels == 1 {
            self.samples.extend_from_slice(&self.interleaved);
        } else {
            let part = 1.0 / channels as f32;
            let frames = self.interleaved.chunks_exact(channels);
            self.samples.extend(frames.map(|frame| frame.iter().sum::<f32>() * part));
        }
        Ok(())
    }

    fn is_too_long(&self) -> bool {
        self.samples.len() as u64 > u64::from(self.most) * u64::from(self.rate.max(1))
    }
}

fn is_pcm(id: AudioCodecId) -> bool {
    name(id) == Some("PCM")
}

/// A codec's name, for people.
fn name(id: AudioCodecId) -> Option<&'static str> {
    Some(match id {
        codec::CODEC_ID_OPUS => "Opus",
        codec::CODEC_ID_VORBIS => "Vorbis",
        codec::CODEC_ID_AAC => "AAC",
        codec::CODEC_ID_MP1 => "MP1",
        codec::CODEC_ID_MP2 => "MP2",
        codec::CODEC_ID_MP3 => "MP3",
        codec::CODEC_ID_FLAC => "FLAC",
        codec::CODEC_ID_ALAC => "ALAC",
        codec::CODEC_ID_AC3 => "AC-3",
        codec::CODEC_ID_EAC3 => "E-AC-3",
        codec::CODEC_ID_DCA => "DTS",
        codec::CODEC_ID_SPEEX => "Speex",
        codec::CODEC_ID_WMA => "Windows Media Audio",
        codec::CODEC_ID_ADPCM_MS | codec::CODEC_ID_ADPCM_IMA_WAV | codec::CODEC_ID_ADPCM_IMA_QT => "ADPCM",
        // All that is left below the compressed ones.
        _ if PCM.contains(&id) => "PCM",
        _ => return None,
    })
}

/// Samples as they are, in every width and order.
const PCM: &[AudioCodecId] = &[
    codec::CODEC_ID_PCM_S32LE,
    codec::CODEC_ID_PCM_S24LE,
    codec::CODEC_ID_PCM_S16LE,
    codec::CODEC_ID_PCM_S16BE,
    codec::CODEC_ID_PCM_S8,
    codec::CODEC_ID_PCM_U8,
    codec::CODEC_ID_PCM_F32LE,
    codec::CODEC_ID_PCM_F32BE,
    codec::CODEC_ID_PCM_F64LE,
    codec::CODEC_ID_PCM_ALAW,
    codec::CODEC_ID_PCM_MULAW,
];
