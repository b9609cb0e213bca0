//! Faster-half sums of both arms after a label swap, by table look-up.
//!
//! The 2n costs are sorted once. A swap then only says which arm each *position* of the
//! sorted list belongs to: a mask of 2n bits. The faster half of an arm is the first
//! ceil(n/2) positions of its mask, so no sorting is needed per swap, and eight positions are
//! summed with one look-up. A swap costs about n/4 look-ups.

use crate::faster_half::faster_half_len;

/// `LOWEST[b][k]`: the lowest `k` set bits of `b`, the rest cleared.
static LOWEST: [[u8; 9]; 256] = lowest_bits();
/// `HELD[b]`: the number of set bits of `b`; the baseline CPU has no instruction for it.
static HELD: [u8; 256] = held_bits();

/// Longer masks are flipped round by round: their table would outgrow the caches.
const TABLED: usize = 2;

pub(crate) struct SwapTable {
    /// Costs in a faster half.
    half: usize,
    /// Words in a position mask.
    words: usize,
    /// Positions that hold a variant cost when nothing is swapped.
    labels: Vec<u64>,
    /// For byte j of a swap and its value b, at `(j * 256 + b) * words`: the positions to flip.
    /// Only for masks of up to `TABLED` words.
    flips: Vec<u64>,
    /// The two positions of each round.
    places: Vec<[usize; 2]>,
    /// For byte j of a position mask and its value b, at `[j][b]`: the sum of those costs.
    sums: Vec<[f64; 256]>,
    /// Scratch for long masks: the positions of the variant under the current swap.
    mask: Vec<u64>,
}

impl SwapTable {
    /// A table for `baseline` against `variant` times `scale`.
    pub(crate) fn new(baseline: &[f64], variant: &[f64], scale: f64) -> Self {
        let rounds = baseline.len();
        let words = (2 * rounds).div_ceil(64);
        let mut pooled: Vec<(f64, usize)> = baseline.iter().copied().zip(0..).collect();
        pooled.extend(variant.iter().map(|v| v * scale).zip(rounds..));
        pooled.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));

        let mut labels = vec![0u64; words];
        let mut places = vec![[0; 2]; rounds];
        for (position, &(_, index)) in pooled.iter().enumerate() {
            places[index % rounds][index / rounds] = position;
            if index >= rounds {
                labels[position / 64] |= 1 << (position % 64);
            }
        }
        let flips = if words <= TABLED {
            flip_table(&places, words)
        } else {
            Vec::new()
        };

        let mut sums = vec![[0.0; 256]; words * 8];
        for (byte, table) in sums.iter_mut().enumerate() {
            for value in 1..256usize {
                let position = byte * 8 + value.trailing_zeros() as usize;
                let cost = pooled.get(position).map_or(0.0, |p| p.0);
                table[value] = table[value & (value - 1)] + cost;
            }
        }

        Self {
            half: faster_half_len(rounds),
            words,
            labels,
            flips,
            places,
            sums,
            mask: vec![0; words],
        }
    }

    /// The sums of the faster halves, (baseline, variant), with labels exchanged by `swap`.
    pub(crate) fn arm_sums(&mut self, swap: &[u64]) -> (f64, f64) {
        // A mask of a length known when compiling makes this twice as fast.
        match self.words {
            1 => self.tabled::<1>(swap),
            TABLED => self.tabled::<TABLED>(swap),
            _ => {
                self.mask.copy_from_slice(&self.labels);
                for (round, places) in self.places.iter().enumerate() {
                    let exchanged = swap[round / 64] >> (round % 64) & 1;
                    for position in places {
                        self.mask[position / 64] ^= exchanged << (position % 64);
                    }
                }
                self.both(&self.mask)
            }
        }
    }

    fn tabled<const WORDS: usize>(&self, swap: &[u64]) -> (f64, f64) {
        let mut mask = [0; WORDS];
        mask.copy_from_slice(&self.labels);
        let bytes = swap.iter().flat_map(|w| w.to_le_bytes());
        for (table, value) in self.flips.chunks_exact(256 * WORDS).zip(bytes) {
            let at = usize::from(value) * WORDS;
            for (mask, flip) in mask.iter_mut().zip(&table[at..at + WORDS]) {
                *mask ^= flip;
            }
        }
        self.both(&mask)
    }

    /// (baseline, variant) for the positions of the variant.
    #[inline(always)]
    fn both(&self, mask: &[u64]) -> (f64, f64) {
        (self.faster_sum(mask, u64::MAX), self.faster_sum(mask, 0))
    }

    /// Sum of the first `half` positions set in the mask xor `invert`.
    #[inline(always)]
    fn faster_sum(&self, mask: &[u64], invert: u64) -> f64 {
        let mut left = self.half;
        let mut sum = 0.0;
        let mut tables = self.sums.iter();
        for word in mask {
            for value in (word ^ invert).to_le_bytes() {
                let (Some(table), value) = (tables.next(), usize::from(value)) else {
                    return sum;
                };
                let held = usize::from(HELD[value]);
                if held >= left {
                    return sum + table[usize::from(LOWEST[value][left])];
                }
                left -= held;
                sum += table[value];
            }
        }
        sum
    }
}

fn flip_table(places: &[[usize; 2]], words: usize) -> Vec<u64> {
    let mut flips = vec![0u64; places.len().div_ceil(8) * 256 * words];
    for (byte, table) in flips.chunks_exact_mut(256 * words).enumerate() {
        for value in 1..256usize {
            let (from, to) = ((value & (value - 1)) * words, value * words);
            table.copy_within(from..from + words, to);
            let round = byte * 8 + value.trailing_zeros() as usize;
            for position in places.get(round).into_iter().flatten() {
                table[to + position / 64] ^= 1 << (position % 64);
            }
        }
    }
    flips
}

const fn lowest_bits() -> [[u8; 9]; 256] {
    let mut out = [[0u8; 9]; 256];
    let mut value = 0;
    while value < 256 {
        let mut keep = 0;
        while keep <= 8 {
            let mut rest = value as u8;
            let mut k = 0;
            while k < keep {
                rest &= rest.wrapping_sub(1);
                k += 1;
            }
            out[value][keep] = value as u8 ^ rest;
            keep += 1;
        }
        value += 1;
    }
    out
}

const fn held_bits() -> [u8; 256] {
    let mut out = [0u8; 256];
    let mut value = 0;
    while value < 256 {
        out[value] = (value as u8).count_ones() as u8;
        value += 1;
    }
    out
}
