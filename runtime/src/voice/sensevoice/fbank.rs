//! Log mel energies as Kaldi counts them, with what SenseVoice was trained on: frames of 25 ms every 10 ms, a Hamming window, 80
//! bands from 20 Hz to 8,000 Hz, no dither, samples as 16-bit numbers.

use std::f64::consts::TAU;
use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

/// Figures of a frame.
pub const BANDS: usize = 80;
/// Samples of a frame, and from one to the next, at 16,000 a second.
const FRAME: usize = 400;
const HOP: usize = 160;
/// Room for a frame that is quick to transform; what is counted of it, without the highest.
const SIZE: usize = 512;
const BINS: usize = SIZE / 2;
/// How much of the sample before is taken away: it lifts what is high.
const EMPHASIS: f32 = 0.97;
/// Where the lowest band begins and the highest ends, Hz.
const LOW: f64 = 20.0;
const HIGH: f64 = 8_000.0;
/// From one bin to the next, Hz.
const BIN: f64 = 31.25;
/// Samples are counted as 16-bit numbers.
const LOUDEST: f32 = 32_768.0;

/// Counts frames; keeps what it works with.
pub struct Fbank {
    forward: Arc<dyn RealToComplex<f32>>,
    window: Vec<f32>,
    /// The first bin of each band, and the weights from it on.
    bands: Vec<(usize, Vec<f32>)>,
}

impl Default for Fbank {
    fn default() -> Self {
        let window = (0..FRAME).map(|n| (0.54 - 0.46 * (TAU * n as f64 / (FRAME - 1) as f64).cos()) as f32);
        let step = (mel(HIGH) - mel(LOW)) / (BANDS + 1) as f64;
        let bands = (0..BANDS).map(|band| {
            let left = mel(LOW) + band as f64 * step;
            let (middle, right) = (left + step, left + 2.0 * step);
            let weight = |bin: usize| {
                let at = mel(bin as f64 * BIN);
                let weight = if at <= middle { (at - left) / step } else { (right - at) / step };
                (at > left && at < right).then_some(weight as f32)
            };
            let inside = (0..BINS).filter_map(|bin| Some((bin, weight(bin)?)));
            let first = inside.clone().map(|(bin, _)| bin).next().unwrap_or(0);
            (first, inside.map(|(_, weight)| weight).collect())
        });
        Self {
            forward: RealFftPlanner::new().plan_fft_forward(SIZE),
            window: window.collect(),
            bands: bands.collect(),
        }
    }
}

impl Fbank {
    /// The frames of mono samples between -1 and 1; none where there is less than one.
    #[must_use]
    pub fn frames(&self, samples: &[f32]) -> Vec<[f32; BANDS]> {
        let mut padded = vec![0.0_f32; SIZE];
        let mut spectrum = self.forward.make_output_vec();
        let mut scratch = self.forward.make_scratch_vec();
        samples
            .windows(FRAME)
            .step_by(HOP)
            .map(|frame| {
                self.prepare(frame, &mut padded);
                // The buffers are of the plan's own sizes, so that it cannot fail.
                let _ = self.forward.process_with_scratch(&mut padded, &mut spectrum, &mut scratch);
                self.energies(&spectrum)
            })
            .collect()
    }

    /// Without its mean, with the high lifted, and faded at both ends.
    fn prepare(&self, frame: &[f32], padded: &mut [f32]) {
        let mean = frame.iter().sum::<f32>() * LOUDEST / FRAME as f32;
        let at = |n: usize| frame[n] * LOUDEST - mean;
        for (n, (place, window)) in padded.iter_mut().zip(&self.window).enumerate() {
            // Before the first stands the first.
            *place = (at(n) - EMPHASIS * at(n.saturating_sub(1))) * window;
        }
        padded[FRAME..].fill(0.0);
    }

    fn energies(&self, spectrum: &[Complex<f32>]) -> [f32; BANDS] {
        let mut energies = [0.0; BANDS];
        for (energy, (first, weights)) in energies.iter_mut().zip(&self.bands) {
            let bins = spectrum.iter().skip(*first).zip(weights);
            let sum: f32 = bins.map(|(bin, weight)| bin.norm_sqr() * weight).sum();
            *energy = sum.max(f32::EPSILON).ln();
        }
        energies
    }
}

/// A frequency in mel, as Kaldi has it.
fn mel(hz: f64) -> f64 {
    1_127.0 * (1.0 + hz / 700.0).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half as loud as can be, 440 Hz, a second.
    fn tone() -> Vec<f32> {
        (0..16_000).map(|n| (0.5 * (TAU * 440.0 * f64::from(n) / 16_000.0).sin()) as f32).collect()
    }

    /// Figures that kaldi-native-fbank 1.23 gives for the same samples (`rows` 0, 1, 50 and 97).
    const GOLDEN: &[(usize, [f32; BANDS])] = &[
        (
            0,
            [
                11.892_19, 12.901_32, 13.111_16, 12.421_12, 11.730_5, 12.238_25, 13.672_04, 14.440_31,
                14.196_47, 11.604_13, 12.363_94, 14.947_17, 21.166_27, 24.402_72, 25.222_14, 24.137_84,
                20.393_11, 13.828_89, 14.921_33, 15.887_76, 15.278_17, 14.048_3, 15.239_41, 15.072_77,
                13.467_73, 14.865_11, 14.481_74, 13.427_17, 14.605_43, 13.666, 13.857_93, 14.136_06,
                13.104_03, 14.084_28, 12.985_67, 13.836_71, 13.020_36, 13.661_14, 12.935_73, 13.505_95,
                12.830_38, 13.353_09, 12.878_3, 13.049_63, 13.059_14, 12.708_9, 12.965_32, 12.846_97,
                12.632_02, 12.747_75, 12.752_26, 12.612_26, 12.533_14, 12.547_15, 12.535_62, 12.495_99,
                12.447_3, 12.413_01, 12.377_86, 12.336_83, 12.322_33, 12.294_1, 12.269_68, 12.253_75,
                12.236_49, 12.202_27, 12.157_01, 12.166_76, 12.201_87, 12.114_54, 12.133_21, 12.157_03,
                12.089_36, 12.166_08, 12.105_37, 12.137_43, 12.167_05, 12.142_88, 12.174_27, 12.203_56,
            ],
        ),
        (
            1,
            [
                14.023_57, 14.953_85, 14.767_85, 13.735_63, 12.966_99, 13.752_15, 14.983_03, 15.468_82,
                14.959_21, 11.674_22, 13.885_69, 14.173_73, 21.151_64, 24.405_1, 25.222_88, 24.132_84, 20.43,
                14.300_02, 14.442_76, 15.460_39, 14.881_63, 13.583_38, 14.736_18, 14.589_99, 12.962_51,
                14.292_88, 13.931_42, 12.834_89, 13.988_48, 13.072_7, 13.207_44, 13.490_83, 12.456_49,
                13.409_06, 12.329_96, 13.145_45, 12.343_76, 12.959_9, 12.246_87, 12.796_51, 12.138_55,
                12.635_72, 12.184_52, 12.33, 12.352_07, 12.006_68, 12.248_27, 12.146_04, 11.934_8, 12.038_99,
                12.053_7, 11.924_61, 11.847_11, 11.860_4, 11.854_34, 11.822_56, 11.781_24, 11.753_62,
                11.726_35, 11.690_61, 11.685_41, 11.664_01, 11.647_92, 11.639_81, 11.629_83, 11.604_52,
                11.571_86, 11.590_69, 11.627_54, 11.553_47, 11.583_31, 11.607_31, 11.556_98, 11.631_03,
                11.585_83, 11.618_17, 11.653_29, 11.636_4, 11.669_31, 11.700_07,
            ],
        ),
        (
            50,
            [
                11.892_19, 12.901_32, 13.111_16, 12.421_12, 11.730_5, 12.238_25, 13.672_04, 14.440_31,
                14.196_47, 11.604_13, 12.363_94, 14.947_17, 21.166_27, 24.402_72, 25.222_14, 24.137_84,
                20.393_11, 13.828_89, 14.921_33, 15.887_76, 15.278_17, 14.048_3, 15.239_41, 15.072_77,
                13.467_73, 14.865_11, 14.481_74, 13.427_17, 14.605_43, 13.666, 13.857_93, 14.136_06,
                13.104_03, 14.084_28, 12.985_67, 13.836_71, 13.020_36, 13.661_14, 12.935_73, 13.505_95,
                12.830_38, 13.353_09, 12.878_3, 13.049_63, 13.059_14, 12.708_9, 12.965_32, 12.846_97,
                12.632_02, 12.747_75, 12.752_26, 12.612_26, 12.533_14, 12.547_15, 12.535_62, 12.495_99,
                12.447_3, 12.413_01, 12.377_86, 12.336_83, 12.322_33, 12.294_1, 12.269_68, 12.253_75,
                12.236_49, 12.202_27, 12.157_01, 12.166_76, 12.201_87, 12.114_54, 12.133_21, 12.157_03,
                12.089_36, 12.166_08, 12.105_37, 12.137_43, 12.167_05, 12.142_88, 12.174_27, 12.203_56,
            ],
        ),
        (
            97,
            [
                14.523_39, 15.450_15, 15.233_08, 14.157_31, 13.376_64, 14.211_33, 15.418_22, 15.857_58,
                15.284_95, 11.598_58, 14.368_54, 12.877, 21.141_22, 24.406_7, 25.223_53, 24.129_01,
                20.456_65, 14.558_36, 13.812_29, 14.972_55, 14.480_34, 12.989_3, 14.060_51, 14.023_32,
                12.301_06, 13.411_9, 13.222_15, 11.832_41, 12.975_61, 12.275_51, 11.909_94, 12.450_77,
                11.189_64, 12.136_08, 11.215_61, 11.690_55, 11.164_16, 11.388_19, 10.977_63, 11.164_57,
                10.693_3, 11.023_94, 10.475_5, 10.794_1, 10.523_45, 10.393_72, 10.537_74, 10.293_26,
                10.220_86, 10.315_47, 10.194_27, 10.085_89, 10.070_58, 10.082_16, 10.031_38, 9.988_47,
                9.954_73, 9.933_73, 9.916_12, 9.895_19, 9.888_92, 9.874_69, 9.865_73, 9.861_43, 9.863_8,
                9.871_77, 9.857_03, 9.856_8, 9.877_02, 9.893_52, 9.881_09, 9.910_8, 9.917_3, 9.938_9,
                9.954_01, 9.976_86, 9.992_72, 10.021_2, 10.047_17, 10.070_7,
            ],
        ),
    ];

    #[test]
    fn frames_are_kaldis() {
        let frames = Fbank::default().frames(&tone());
        assert_eq!(frames.len(), 98);
        for (row, expected) in GOLDEN {
            for (band, (found, expected)) in frames[*row].iter().zip(expected).enumerate() {
                // What leaks far from the tone is the rounding of 32 bits.
                assert!((found - expected).abs() < 2e-3, "frame {row}, band {band}: {found} {expected}");
            }
        }
    }

    #[test]
    fn there_are_as_many_frames_as_fit() {
        let fbank = Fbank::default();
        for (samples, frames) in [(0, 0), (399, 0), (400, 1), (559, 1), (560, 2), (16_000, 98)] {
            assert_eq!(fbank.frames(&vec![0.0; samples]).len(), frames, "{samples}");
        }
        assert!(fbank.frames(&[0.0; 400])[0].iter().all(|energy| (energy - f32::EPSILON.ln()).abs() < 1e-6));
    }
}
