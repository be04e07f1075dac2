//! Frames to what the network is given: seven next to each other as one, every sixth, each figure normalised as in training.

use super::fbank::BANDS;

/// Frames in one, and from one to the next.
const WIDTH: usize = 7;
const STEP: usize = 6;
/// Figures of a stacked frame.
pub const FIGURES: usize = BANDS * WIDTH;

/// Stacks frames as in training: the first one stands three times more before them, the last fills the last stack, so that no
/// edge is lost and a short clip has a frame, too.
#[must_use]
pub fn stack(frames: &[[f32; BANDS]]) -> Vec<[f32; FIGURES]> {
    let Some(last) = frames.len().checked_sub(1) else { return Vec::new() };
    let before = (WIDTH - 1) / 2;
    (0..frames.len().div_ceil(STEP))
        .map(|index| {
            let mut stacked = [0.0; FIGURES];
            for (n, place) in stacked.chunks_exact_mut(BANDS).enumerate() {
                let frame = (index * STEP + n).saturating_sub(before).min(last);
                place.copy_from_slice(&frames[frame]);
            }
            stacked
        })
        .collect()
}

/// What each figure is shifted and scaled by: `(value + shift) * scale`.
#[derive(Clone, Debug, PartialEq)]
pub struct Normal {
    shift: Vec<f32>,
    scale: Vec<f32>,
}

impl Normal {
    /// From a model's metadata `neg_mean` and `inv_stddev`: lists of numbers with commas between them.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn from_metadata(neg_mean: &str, inv_stddev: &str) -> Result<Self, String> {
        let read = |name: &str, list: &str| {
            let numbers: Result<Vec<f32>, _> = list.split(',').map(|number| number.trim().parse()).collect();
            numbers.map_err(|error| format!("the model's {name} holds what is no number: {error}"))
        };
        Self::new(read("neg_mean", neg_mean)?, read("inv_stddev", inv_stddev)?)
    }

    /// From FunASR's file `am.mvn`: the lines after `<AddShift>` and `<Rescale>`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_mvn(text: &str) -> Result<Self, String> {
        let after = |name: &str| {
            let mut lines = text.lines().skip_while(|line| !line.starts_with(name)).skip(1);
            let line = lines.find(|line| line.starts_with("<LearnRateCoef>"));
            let line = line.ok_or_else(|| format!("am.mvn has no line <LearnRateCoef> after {name}"))?;
            let words: Vec<&str> = line.split_whitespace().collect();
            // The coefficient and a bracket before, a bracket behind.
            let numbers = words.get(3..words.len().saturating_sub(1)).unwrap_or_default();
            let numbers: Result<Vec<f32>, _> = numbers.iter().map(|number| number.parse()).collect();
            numbers.map_err(|error| format!("am.mvn holds what is no number after {name}: {error}"))
        };
        Self::new(after("<AddShift>")?, after("<Rescale>")?)
    }

    fn new(shift: Vec<f32>, scale: Vec<f32>) -> Result<Self, String> {
        match (shift.len(), scale.len()) {
            (FIGURES, FIGURES) => Ok(Self { shift, scale }),
            (shift, scale) => {
                Err(format!("{shift} shifts and {scale} scales were found, and {FIGURES} of each are needed"))
            }
        }
    }

    /// Normalises a stacked frame in its place.
    pub fn apply(&self, stacked: &mut [f32; FIGURES]) {
        for ((value, shift), scale) in stacked.iter_mut().zip(&self.shift).zip(&self.scale) {
            *value = (*value + shift) * scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of which each bears its number.
    fn frames(count: usize) -> Vec<[f32; BANDS]> {
        (0..count).map(|n| [n as f32; BANDS]).collect()
    }

    fn numbers(stacked: &[f32; FIGURES]) -> Vec<usize> {
        stacked.chunks_exact(BANDS).map(|frame| frame[0] as usize).collect()
    }

    #[test]
    fn seven_frames_stand_in_one_and_no_edge_is_lost() {
        assert!(stack(&[]).is_empty());
        assert_eq!(stack(&frames(1)).iter().map(numbers).collect::<Vec<_>>(), [[0; 7]]);
        let stacked: Vec<_> = stack(&frames(14)).iter().map(numbers).collect();
        assert_eq!(stacked, [[0, 0, 0, 0, 1, 2, 3], [3, 4, 5, 6, 7, 8, 9], [9, 10, 11, 12, 13, 13, 13]]);
        // Ten seconds: 998 frames, 167 stacks.
        assert_eq!(stack(&frames(998)).len(), 167);
    }

    #[test]
    fn figures_are_normalised_from_either_source() {
        let list = |of: &dyn Fn(usize) -> f32, between: &str| {
            (0..FIGURES).map(|n| of(n).to_string()).collect::<Vec<_>>().join(between)
        };
        let (shift, scale) = (|n: usize| -(n as f32), |n: usize| 1.0 / (1 + n % 4) as f32);
        let normal = Normal::from_metadata(&list(&shift, ","), &list(&scale, ",")).unwrap();
        let mvn = format!(
            "<Nnet>\n<Splice> 560 560\n[ 0 ]\n<AddShift> 560 560\n<LearnRateCoef> 0 [ {} ]\n<Rescale> 560 560\n<LearnRateCoef> 0 [ {} ]\n</Nnet>\n",
            list(&shift, " "),
            list(&scale, " ")
        );
        assert_eq!(Normal::from_mvn(&mvn).unwrap(), normal);
        let mut stacked = [7.0; FIGURES];
        normal.apply(&mut stacked);
        assert_eq!((stacked[0], stacked[1], stacked[6], stacked[9]), (7.0, 3.0, 1.0 / 3.0, -1.0));
    }

    #[test]
    fn what_is_no_normalisation_is_told() {
        assert!(Normal::from_metadata("1,2", "1,2").unwrap_err().contains("2 shifts and 2 scales"));
        assert!(Normal::from_metadata("1,x", "1").unwrap_err().contains("neg_mean"));
        assert!(Normal::from_mvn("<AddShift>\n").unwrap_err().contains("<AddShift>"));
    }
}
