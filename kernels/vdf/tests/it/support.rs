//! What the tests share.

use karat_vdf::Discriminant;

pub fn hex(text: &str) -> Vec<u8> {
    let text = text.trim();
    let byte = |i: usize| u8::from_str_radix(&text[2 * i..2 * i + 2], 16);
    (0..text.len() / 2)
        .map(|i| byte(i).expect("hexadecimal digits"))
        .collect()
}

/// A discriminant for tests, the same for the same arguments.
pub fn discriminant(seed: &str, bits: usize) -> Discriminant {
    Discriminant::from_seed(seed.as_bytes(), bits).expect("the size is right")
}
