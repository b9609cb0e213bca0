//! Reed-Solomon codes. Each peer gets and gives shards in the form that its public interface
//! wants; what it copies inside of its calls is in its time.

use crate::{NATIVE, Peer};
use karat_kit::{Body, Call, Input};
use reed_solomon_erasure::galois_8::ReedSolomon;
use reed_solomon_simd::{ReedSolomonDecoder, ReedSolomonEncoder};

/// Peers of both tasks of a shape.
macro_rules! peers {
    ($($task:literal $lost:literal $name:literal $compiled:literal
        $encode:expr, $reconstruct:expr;)*) => {
        &[$(
            peer($task, $name, $compiled, |input| Box::new($encode(Shards::of(input)))),
            peer($lost, $name, $compiled, |input| Box::new($reconstruct(Shards::of(input)))),
        )*]
    };
}

pub(crate) const PEERS: &[Peer] = peers! {
    "rs-a-10+4" "rs-a-10+4-lost" "reed-solomon-erasure" false EncodeA::new, ReconstructA::new;
    "rs-a-64+32" "rs-a-64+32-lost" "reed-solomon-erasure" false EncodeA::new, ReconstructA::new;
    "rs-a-128+128" "rs-a-128+128-lost" "reed-solomon-erasure" false EncodeA::new, ReconstructA::new;
    "rs-b-10+4" "rs-b-10+4-lost" "leopard-codec" true EncodeB, ReconstructB::new;
    "rs-b-64+32" "rs-b-64+32-lost" "leopard-codec" true EncodeB, ReconstructB::new;
    "rs-b-128+128" "rs-b-128+128-lost" "leopard-codec" true EncodeB, ReconstructB::new;
    "rs-c-10+4" "rs-c-10+4-lost" "reed-solomon-simd" false EncodeC::new, ReconstructC::new;
    "rs-c-64+32" "rs-c-64+32-lost" "reed-solomon-simd" false EncodeC::new, ReconstructC::new;
    "rs-c-128+128" "rs-c-128+128-lost" "reed-solomon-simd" false EncodeC::new, ReconstructC::new;
    "rs-c-512+512" "rs-c-512+512-lost" "reed-solomon-simd" false EncodeC::new, ReconstructC::new;
};

type Prepare = fn(&Input) -> Box<dyn Call>;

const fn peer(task: &'static str, name: &'static str, compiled: bool, prepare: Prepare) -> Peer {
    Peer {
        task,
        name,
        note: if compiled && !NATIVE {
            "built without its flags"
        } else {
            ""
        },
        body: Body::Prepared(prepare),
    }
}

/// Data shards, then room for parity.
struct Shards {
    all: Vec<Vec<u8>>,
    data: usize,
}

impl Shards {
    /// The input's first number is how many parity shards there are.
    fn of(input: &Input) -> Self {
        let mut all: Vec<Vec<u8>> = input.each_item().map(<[u8]>::to_vec).collect();
        let (data, parity) = (all.len(), input.numbers[0] as usize);
        all.resize(data + parity, vec![0; all[0].len()]);
        Self { all, data }
    }

    fn parity(&self) -> usize {
        self.all.len() - self.data
    }

    /// The first data shards, as many as parity allows.
    fn lost(&self) -> usize {
        self.data.min(self.parity())
    }

    fn length(&self) -> usize {
        self.all[0].len()
    }

    fn write_parity(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.all[self.data..].concat());
    }

    fn write_lost(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.all[..self.lost()].concat());
    }
}

struct EncodeA(ReedSolomon, Shards);

impl EncodeA {
    fn new(shards: Shards) -> Self {
        let code = ReedSolomon::new(shards.data, shards.parity()).expect("a shape it has");
        Self(code, shards)
    }
}

impl Call for EncodeA {
    fn call(&mut self) {
        let (data, parity) = self.1.all.split_at_mut(self.1.data);
        self.0.encode_sep(data, parity).expect("equal lengths");
    }

    fn result(&self, out: &mut [u8]) {
        self.1.write_parity(out);
    }
}

struct ReconstructA(ReedSolomon, Shards);

impl ReconstructA {
    fn new(shards: Shards) -> Self {
        let mut encode = EncodeA::new(shards);
        encode.call();
        Self(encode.0, encode.1)
    }
}

impl Call for ReconstructA {
    fn call(&mut self) {
        let lost = self.1.lost();
        // Its interface wants flags beside shards; the shards stay where they are.
        let all = self.1.all.iter_mut().enumerate();
        let mut flagged: Vec<(&mut [u8], bool)> =
            all.map(|(i, shard)| (&mut shard[..], i >= lost)).collect();
        self.0
            .reconstruct_data(&mut flagged)
            .expect("enough shards");
    }

    fn result(&self, out: &mut [u8]) {
        self.1.write_lost(out);
    }
}

struct EncodeB(Shards);

impl Call for EncodeB {
    fn call(&mut self) {
        leopard_codec::encode(&mut self.0.all, self.0.data).expect("a shape it has");
    }

    fn result(&self, out: &mut [u8]) {
        self.0.write_parity(out);
    }
}

struct ReconstructB(Shards);

impl ReconstructB {
    fn new(shards: Shards) -> Self {
        let mut encode = EncodeB(shards);
        encode.call();
        Self(encode.0)
    }
}

impl Call for ReconstructB {
    fn call(&mut self) {
        let lost = self.0.lost();
        for shard in &mut self.0.all[..lost] {
            shard.clear();
        }
        leopard_codec::reconstruct(&mut self.0.all, self.0.data).expect("enough shards");
    }

    fn result(&self, out: &mut [u8]) {
        self.0.write_lost(out);
    }
}

struct EncodeC(ReedSolomonEncoder, Shards);

impl EncodeC {
    fn new(shards: Shards) -> Self {
        let code = ReedSolomonEncoder::new(shards.data, shards.parity(), shards.length());
        Self(code.expect("a shape it has"), shards)
    }
}

impl Call for EncodeC {
    fn call(&mut self) {
        let (data, parity) = self.1.all.split_at_mut(self.1.data);
        for shard in data {
            self.0.add_original_shard(shard).expect("one of the data");
        }
        let made = self.0.encode().expect("all data");
        for (place, shard) in parity.iter_mut().zip(made.recovery_iter()) {
            place.copy_from_slice(shard);
        }
    }

    fn result(&self, out: &mut [u8]) {
        self.1.write_parity(out);
    }
}

struct ReconstructC(ReedSolomonDecoder, Shards);

impl ReconstructC {
    fn new(shards: Shards) -> Self {
        let mut encode = EncodeC::new(shards);
        encode.call();
        let shards = encode.1;
        let code = ReedSolomonDecoder::new(shards.data, shards.parity(), shards.length());
        Self(code.expect("a shape it has"), shards)
    }
}

impl Call for ReconstructC {
    fn call(&mut self) {
        let (lost, count) = (self.1.lost(), self.1.data);
        let (data, parity) = self.1.all.split_at_mut(count);
        for (index, shard) in data.iter().enumerate().skip(lost) {
            let added = self.0.add_original_shard(index, shard);
            added.expect("one of the data");
        }
        for (index, shard) in parity.iter().enumerate() {
            let added = self.0.add_recovery_shard(index, shard);
            added.expect("one of the parity");
        }
        let made = self.0.decode().expect("enough shards");
        for (index, shard) in made.restored_original_iter() {
            data[index].copy_from_slice(shard);
        }
    }

    fn result(&self, out: &mut [u8]) {
        self.1.write_lost(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each makes of parity is the data it was made from.
    #[test]
    fn lost_data_comes_back() {
        let (data, parity, length) = (10, 4, 64);
        let bytes: Vec<u8> = (0..data * length).map(|i| (i * i / 7) as u8).collect();
        let mut input = Input::of_items(bytes, data);
        input.numbers = vec![parity as u64];
        for peer in PEERS {
            let Body::Prepared(prepare) = peer.body else {
                panic!("{} has no form of its own", peer.name);
            };
            let mut call = prepare(&input);
            call.call();
            call.call();
            let mut out = vec![0; parity * length];
            call.result(&mut out);
            let lost = peer.task.ends_with("-lost");
            assert_eq!(
                out == input.bytes[..out.len()],
                lost,
                "{} {}",
                peer.task,
                peer.name
            );
        }
    }
}
