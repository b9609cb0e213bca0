//! Where shards lie does not change what is made of them.

use crate::support::{Rng, few};
use karat_erasure::{Code, Codec};

/// Bytes of a cache line.
const LINE: usize = 64;

/// So many shards that all begin at the same place of a line, in one piece of memory.
struct Alike {
    memory: Vec<u8>,
    count: usize,
    length: usize,
    begin: usize,
}

impl Alike {
    fn new(count: usize, length: usize, place: usize) -> Self {
        let stride = length.next_multiple_of(LINE);
        let memory = vec![0x55; 2 * LINE + count * stride];
        let begin = memory.as_ptr().addr().wrapping_neg() % LINE + place;
        Self {
            memory,
            count,
            length,
            begin,
        }
    }

    fn shards(&mut self) -> Vec<&mut [u8]> {
        let stride = self.length.next_multiple_of(LINE);
        let shards = self.memory[self.begin..].chunks_exact_mut(stride);
        let shards = shards.take(self.count);
        shards.map(|s| &mut s[..self.length]).collect()
    }

    /// Nothing was written beside the shards.
    fn rest_is_untouched(&self) -> bool {
        let stride = self.length.next_multiple_of(LINE);
        let end = self.begin + self.count * stride;
        let (before, rest) = self.memory.split_at(self.begin);
        let mut gaps = (rest[..end - self.begin].chunks_exact(stride)).map(|s| &s[self.length..]);
        let clean = |bytes: &[u8]| bytes.iter().all(|b| *b == 0x55);
        clean(before) && gaps.all(clean) && clean(&self.memory[end..])
    }
}

/// Long shards with a common place inside of a line are worked through from the next line on,
/// and of shards that end inside of a block some bytes twice. Blocks by themselves say what is
/// right: codes know nothing of the block beside.
#[test]
#[cfg_attr(miri, ignore = "slow")]
fn shards_that_begin_alike_inside_of_a_line() {
    let mut rng = Rng(21);
    for (code, k, m) in [
        (Code::A, 10, 4),
        (Code::A, 12, 7),
        (Code::A, 16, 8),
        (Code::B, 12, 5),
        (Code::B, 32, 32),
        (Code::C, 10, 4),
        (Code::C, 20, 13),
        (Code::D, 10, 4),
        (Code::D, 16, 8),
    ] {
        let codec = Codec::new(code, k, m).unwrap();
        for round in 0..few(40, 4) {
            let length = match round % 3 {
                0 => 64 * (1 + rng.below(70)),
                1 => 2000 + rng.below(4000),
                _ => 1 + rng.below(200),
            };
            let length = length.next_multiple_of(2);
            let data = rng.shards(k, length);
            let place = rng.below(LINE);
            let mut alike = Alike::new(k + m, length, place);
            let mut shards = alike.shards();
            for (shard, bytes) in shards.iter_mut().zip(&data) {
                shard.copy_from_slice(bytes);
            }
            let (given, made) = shards.split_at_mut(k);
            codec.encode(given, made).unwrap();
            let parity: Vec<Vec<u8>> = made.iter().map(|s| s.to_vec()).collect();
            let what = format!("{code} {k}+{m}, {length} bytes from {place} on");
            assert!(parity == in_pieces(&codec, &data), "{what}");
            assert_eq!(codec.verify(given, made), Ok(true), "{what}");
            let lost = rng.choose(m, k + m);
            let present: Vec<bool> = (0..k + m).map(|i| !lost.contains(&i)).collect();
            for index in &lost {
                shards[*index].fill(0);
            }
            codec.reconstruct(&mut shards, &present).unwrap();
            let whole = [&data[..], &parity].concat();
            assert!(
                shards.iter().zip(&whole).all(|(a, b)| **a == b[..]),
                "{what}"
            );
            let (given, made) = shards.split_at_mut(k);
            let new = rng.bytes(length);
            codec.update(1, given[1], &new, made).unwrap();
            given[1].copy_from_slice(&new);
            assert_eq!(codec.verify(given, made), Ok(true), "{what}");
            let at = rng.below(length);
            made[m - 1][at] ^= 1;
            assert_eq!(codec.verify(given, made), Ok(false), "{what}, {at}");
            made[m - 1][at] ^= 1;
            drop(shards);
            assert!(alike.rest_is_untouched(), "{what}");
        }
    }
}

/// Parity of each block of 64 bytes by itself, from memory of its own.
fn in_pieces(codec: &Codec, data: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut parity = vec![Vec::new(); codec.parity()];
    for at in (0..data[0].len()).step_by(LINE) {
        let end = data[0].len().min(at + LINE);
        let block: Vec<&[u8]> = data.iter().map(|shard| &shard[at..end]).collect();
        let mut made = vec![vec![0; end - at]; codec.parity()];
        codec.encode(&block, &mut made).unwrap();
        for (parity, made) in parity.iter_mut().zip(made) {
            parity.extend(made);
        }
    }
    parity
}
