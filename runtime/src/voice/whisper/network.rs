//! The network: what is heard of a window, and what comes next of what was said.

use std::path::Path;

use rten::{Dimension, Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use std::sync::Arc;

use super::mel::BANDS;

/// What the files of the two halves are called, the first that are there. The smaller ones are as good.
pub(super) const FILES: [[&str; 2]; 2] =
    [["encoder.int8.onnx", "decoder.int8.onnx"], ["encoder.onnx", "decoder.onnx"]];

/// Both halves, in memory.
pub struct Network {
    encoder: Model,
    decoder: Model,
    mel: NodeId,
    tokens: NodeId,
    /// What is heard: a key and a value for each layer, where it comes from and where it goes to.
    heard: (Vec<NodeId>, Vec<NodeId>),
    /// What was said before, likewise.
    said: (Vec<NodeId>, Vec<NodeId>),
    logits: NodeId,
    /// Heads of a layer and figures of a head.
    heads: [usize; 2],
    options: RunOptions,
}

/// A window that was heard, and what was said of it so far.
pub struct Window<'a> {
    network: &'a Network,
    heard: Vec<Value>,
    said: Vec<Value>,
}

impl Network {
    /// Reads the two files.
    ///
    /// # Errors
    /// Which file is unfit, and why.
    pub fn read(encoder: &Path, decoder: &Path, threads: usize) -> Result<Self, String> {
        let load = |path: &Path| {
            let mut options = ModelOptions::with_all_ops();
            options.prepack_weights(true);
            options.load_file(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let (first, second) = (load(encoder)?, load(decoder)?);
        let find = |model: &Model, path: &Path, name: &str| {
            let unfit = || {
                format!(
                    "{} is no Whisper as tests/voice/convert.py writes it: it has no {name}",
                    path.display()
                )
            };
            model.find_node(name).ok_or_else(unfit)
        };
        let layers = (0..).take_while(|layer| second.find_node(&format!("past_k{layer}")).is_some()).count();
        let all = |model: &Model, path: &Path, what: &str| {
            let names = (0..layers).flat_map(|layer| ["k", "v"].map(|part| format!("{what}_{part}{layer}")));
            names.map(|name| find(model, path, &name)).collect::<Result<Vec<_>, _>>()
        };
        let heard = (all(&first, encoder, "cross")?, all(&second, decoder, "cross")?);
        let said = (all(&second, decoder, "present")?, all(&second, decoder, "past")?);
        let past = find(&second, decoder, "past_k0")?;
        let shape = second.node_info(past).and_then(|node| node.shape()).unwrap_or_default();
        let heads = match shape[..] {
            [_, Dimension::Fixed(heads), _, Dimension::Fixed(figures)] => [heads, figures],
            _ => return Err(format!("{}: past_k0 is of another shape", decoder.display())),
        };
        Ok(Self {
            mel: find(&first, encoder, "mel")?,
            tokens: find(&second, decoder, "tokens")?,
            logits: find(&second, decoder, "logits")?,
            options: RunOptions::default()
                .with_thread_pool(Some(Arc::new(ThreadPool::with_num_threads(threads)))),
            encoder: first,
            decoder: second,
            heard,
            said,
            heads,
        })
    }

    /// What the decoder says of itself.
    #[must_use]
    pub fn told(&self, name: &str) -> Option<&str> {
        self.decoder.metadata().get(name)
    }

    /// Hears a window: figures band by band.
    ///
    /// # Errors
    /// What the engine says.
    pub fn hear(&self, figures: Vec<f32>) -> Result<Window<'_>, String> {
        let frames = figures.len() / BANDS;
        let mel = NdTensor::from_data([1, BANDS, frames], figures);
        let inputs = vec![(self.mel, Value::from(mel).into())];
        let heard = self.encoder.run(inputs, &self.heard.0, Some(self.options.clone()));
        let heard = heard.map_err(|error| format!("the encoder: {error}"))?;
        let [heads, figures] = self.heads;
        let nothing = || Value::from(NdTensor::<f32, 4>::zeros([1, heads, 0, figures]));
        let said = self.said.1.iter().map(|_| nothing()).collect();
        Ok(Window { network: self, heard, said })
    }
}

impl Window<'_> {
    /// The scores of what comes next, after these that follow those before.
    ///
    /// # Errors
    /// What the engine says.
    pub fn next(&mut self, tokens: &[u32]) -> Result<Vec<f32>, String> {
        let network = self.network;
        let tokens: Vec<i32> = tokens.iter().map(|token| token.cast_signed()).collect();
        let tokens = Value::from(NdTensor::from_data([1, tokens.len()], tokens));
        let mut inputs: Vec<(NodeId, ValueOrView<'_>)> = vec![(network.tokens, tokens.into())];
        inputs.extend(network.heard.1.iter().copied().zip(self.heard.iter().map(Into::into)));
        inputs.extend(network.said.1.iter().copied().zip(self.said.drain(..).map(ValueOrView::Value)));
        let outputs: Vec<NodeId> = [&[network.logits], &network.said.0[..]].concat();
        let run = network.decoder.run(inputs, &outputs, Some(network.options.clone()));
        let mut values = run.map_err(|error| format!("the decoder: {error}"))?.into_iter();
        let scores = values.next().and_then(|scores| NdTensor::<f32, 2>::try_from(scores).ok());
        self.said.extend(values);
        Ok(scores.ok_or("the decoder's scores are no table")?.to_vec())
    }
}
