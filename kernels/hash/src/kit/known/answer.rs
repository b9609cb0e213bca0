//! A known answer in compact form.

use alloc::vec::Vec;

/// A message in a short form.
pub(in crate::kit) enum Message {
    /// These characters.
    Text(&'static str),
    /// The bytes 0, 1, 2, ... with a length and a period.
    Counting(usize, usize),
    /// One byte, repeated.
    Repeated(u8, usize),
    /// Bytes in hexadecimal.
    Hex(&'static str),
}

/// A message and its digest in hexadecimal.
pub(in crate::kit) struct Known(pub(in crate::kit) Message, pub(in crate::kit) &'static str);

impl Known {
    pub(in crate::kit) fn message(&self) -> Vec<u8> {
        match &self.0 {
            Message::Text(text) => text.as_bytes().to_vec(),
            Message::Counting(length, period) => (0..*length).map(|i| (i % period) as u8).collect(),
            Message::Repeated(byte, length) => alloc::vec![*byte; *length],
            Message::Hex(hex) => unhex(hex),
        }
    }

    pub(in crate::kit) fn digest(&self) -> Vec<u8> {
        unhex(self.1)
    }
}

fn unhex(hex: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
    let (pairs, _) = hex.as_bytes().as_chunks::<2>();
    pairs
        .iter()
        .map(|[a, b]| digit(*a) << 4 | digit(*b))
        .collect()
}
