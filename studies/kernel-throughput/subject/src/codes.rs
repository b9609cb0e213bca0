//! Reed-Solomon codes of the guide's sizes: parity, and the first data shards from it.

use std::time::Duration;

use karat_erasure::{Code, Codec, Workspace};
use rayon::prelude::*;
use study_support::{Prng, Workload, fold, timed};

const KIB: usize = 1 << 10;

/// Name, code, data and parity shards, their length, whether the first data shards are made
/// from parity, and how many rounds.
const WORKLOADS: [(&str, Code, usize, usize, usize, bool, u64); 8] = [
    ("rs-64x4k", Code::A, 64, 32, 4 * KIB, false, 40),
    ("rs-64x64k", Code::A, 64, 32, 64 * KIB, false, 4),
    ("rs-64x64k-lost", Code::A, 64, 32, 64 * KIB, true, 2),
    ("rs-64x64k-d", Code::D, 64, 32, 64 * KIB, false, 4),
    ("rs-64x256k", Code::A, 64, 32, 256 * KIB, false, 1),
    ("rs-128x64k", Code::B, 128, 128, 64 * KIB, false, 2),
    ("rs-1024x4k", Code::C, 1024, 512, 4 * KIB, false, 4),
    ("rs-1024x64k", Code::C, 1024, 512, 64 * KIB, false, 1),
];

/// Bytes of a column that a thread takes at once: whole blocks of every code.
const COLUMN: usize = 4 * KIB;

/// All workloads.
pub fn names() -> Vec<&'static str> {
    WORKLOADS.iter().map(|w| w.0).collect()
}

/// The workload called `name`, if it is one of [`names`].
pub fn by_name(name: &str) -> Option<Box<dyn Workload>> {
    let (_, code, data, parity, length, lost, rounds) = *WORKLOADS.iter().find(|w| w.0 == name)?;
    let mut shards = vec![vec![0; length]; data];
    let mut prng = Prng::new(data as u64);
    shards.iter_mut().for_each(|shard| prng.fill(shard));
    Some(Box::new(Shards {
        codec: Codec::new(code, data, parity).expect("the code has this shape"),
        shards,
        parity: vec![vec![0; length]; parity],
        lost,
        rounds,
    }))
}

/// Parity of shards, on one thread or, cut into columns, on all.
pub fn encode(codec: &Codec, data: &[Vec<u8>], parity: &mut [Vec<u8>]) {
    let mut columns = cut(parity);
    let step = columns[0][0].len();
    columns.par_iter_mut().enumerate().for_each_init(
        Workspace::new,
        |workspace, (column, parity)| {
            let at = column * step;
            let end = (at + step).min(data[0].len());
            let data: Vec<&[u8]> = data.iter().map(|shard| &shard[at..end]).collect();
            let done = codec.encode_with(workspace, &data, parity);
            done.expect("shards are alike");
        },
    );
}

/// The first data shards, as many as there are parity shards, from all others.
pub fn rebuild(codec: &Codec, data: &mut [Vec<u8>], parity: &mut [Vec<u8>]) {
    let lost = codec.parity().min(codec.data());
    let present: Vec<bool> = (0..codec.total()).map(|shard| shard >= lost).collect();
    let plan = codec.plan(&present).expect("enough is present");
    let (mut columns, mut of_parity) = (cut(data), cut(parity));
    columns.par_iter_mut().zip(&mut of_parity).for_each_init(
        Workspace::new,
        |workspace, (column, parity)| {
            column.append(parity);
            let done = plan.reconstruct_with(workspace, column);
            done.expect("shards are alike");
        },
    );
}

/// Columns of shards: one for one thread.
fn cut(shards: &mut [Vec<u8>]) -> Vec<Vec<&mut [u8]>> {
    let step = match rayon::current_num_threads() {
        1 => shards[0].len(),
        _ => COLUMN,
    };
    let count = shards[0].len().div_ceil(step);
    let mut columns: Vec<Vec<&mut [u8]>> = (0..count).map(|_| Vec::new()).collect();
    for shard in shards {
        for (column, part) in columns.iter_mut().zip(shard.chunks_mut(step)) {
            column.push(part);
        }
    }
    columns
}

struct Shards {
    codec: Codec,
    shards: Vec<Vec<u8>>,
    parity: Vec<Vec<u8>>,
    lost: bool,
    rounds: u64,
}

impl Workload for Shards {
    fn amount(&self) -> u64 {
        (self.shards.len() * self.shards[0].len()) as u64
    }

    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        for shard in &mut self.shards {
            prng.fill(&mut shard[..8]);
        }
        let Self {
            codec,
            shards,
            parity,
            ..
        } = self;
        let (encoding, ()) = timed(|| encode(codec, shards, parity));
        if !self.lost {
            return (encoding, fold(parity));
        }
        let lost = parity.len().min(shards.len());
        shards[..lost].iter_mut().for_each(|shard| shard.fill(0));
        let (time, ()) = timed(|| rebuild(codec, shards, parity));
        (time, fold(&shards[..lost]))
    }
}
