//! Small networks for tests, written as ONNX.

/// What ONNX is written in: protocol buffers, by hand.
#[derive(Default, Clone)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(super) fn int(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    pub(super) fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    pub(super) fn inner(self, field: u64, message: Message) -> Self {
        self.bytes(field, &message.0)
    }
}

pub(super) const FLOAT: u64 = 1;
pub(super) const INT32: u64 = 6;
pub(super) const INT64: u64 = 7;

pub(super) fn tensor(name: &str, dims: &[u64], kind: u64, raw: Vec<u8>) -> Message {
    let message = dims.iter().fold(Message::default(), |message, dim| message.int(1, *dim));
    message.int(2, kind).text(8, name).bytes(9, &raw)
}

pub(super) fn floats(name: &str, dims: &[u64], values: &[f32]) -> Message {
    tensor(name, dims, FLOAT, values.iter().flat_map(|value| value.to_le_bytes()).collect())
}

pub(super) fn node(kind: &str, inputs: &[&str], output: &str, attribute: Option<(&str, u64)>) -> Message {
    let message = inputs.iter().fold(Message::default(), |message, input| message.text(1, input));
    let message = message.text(2, output).text(3, output).text(4, kind);
    match attribute {
        Some((name, number)) => message.inner(5, Message::default().text(1, name).int(3, number).int(20, 2)),
        None => message,
    }
}

pub(super) fn value(name: &str, kind: u64, dims: &[&str]) -> Message {
    let shape = dims.iter().fold(Message::default(), |shape, dim| {
        let dim = match dim.parse() {
            Ok(number) => Message::default().int(1, number),
            Err(_) => Message::default().text(2, dim),
        };
        shape.inner(1, dim)
    });
    let tensor = Message::default().int(1, kind).inner(2, shape);
    Message::default().text(1, name).inner(2, Message::default().inner(1, tensor))
}

/// A whole file: a graph's nodes, constants, inputs and outputs, and what the model says of itself.
pub(super) fn model(parts: [Vec<Message>; 4], metadata: &[(&str, &str)]) -> Vec<u8> {
    let fields = [1, 5, 11, 12].into_iter().zip(parts);
    let parts = fields.flat_map(|(field, parts)| parts.into_iter().map(move |part| (field, part)));
    let graph = parts.fold(Message::default().text(2, "g"), |graph, (field, part)| graph.inner(field, part));
    let model =
        Message::default().int(1, 7).inner(7, graph).inner(8, Message::default().text(1, "").int(2, 13));
    let entry = |(name, value): &(&str, &str)| Message::default().text(1, name).text(2, value);
    metadata.iter().map(entry).fold(model, |model, entry| model.inner(14, entry)).0
}
