//! What trees are tested with.

use karat_nmt::{Format, Leaf, Tree};

/// Small deterministic random numbers (splitmix64; Steele, Lea and Flood, 2014).
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

/// Leaves that own their bytes.
pub type Owned = Vec<(Vec<u8>, Vec<u8>)>;

/// Random leaves in order: few namespaces with gaps, sometimes the largest one.
pub fn random_leaves(rng: &mut Rng, format: Format, count: usize, most: usize) -> Owned {
    let len = format.namespace_len();
    let max_from = if rng.below(2) == 0 {
        count
    } else {
        count - rng.below(count + 1)
    };
    let (mut last, mut leaves) = (1_u8, Vec::new());
    for index in 0..count {
        last = last.saturating_add(rng.below(3) as u8);
        let mut namespace = vec![0; len];
        if let Some(end) = namespace.last_mut() {
            *end = last;
        }
        if index >= max_from {
            namespace.fill(0xff);
        }
        let data = rng.below(most + 1);
        leaves.push((namespace, rng.bytes(data)));
    }
    leaves
}

pub fn borrowed(leaves: &Owned) -> Vec<Leaf<'_>> {
    leaves.iter().map(|(n, d)| Leaf::new(n, d)).collect()
}

pub fn tree(format: Format, leaves: &Owned) -> Tree {
    Tree::of(format, &borrowed(leaves)).unwrap()
}

/// Bytes of a hexadecimal string.
pub fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "{text}");
    (0..text.len() / 2)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
        .collect()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
