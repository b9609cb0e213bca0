//! sr25519 verification the way a Substrate node does it: keys and signatures arrive as bytes, so
//! decompressing them is part of the work. Messages have 32 bytes, as in the machine benchmark of
//! Polkadot nodes (32768 verifications per second are its 1 MiB/s).

use rand_core::{CryptoRng, RngCore};
use schnorrkel::context::{attach_rng, signing_context};
use schnorrkel::{ExpansionMode, Keypair, MiniSecretKey, PublicKey, Signature};

use super::Workload;
use crate::prng::Prng;

/// The signing context of Substrate chains.
pub const CONTEXT: &[u8] = b"substrate";

const POOL: usize = 48;
const AT_ONCE: usize = 4;
const POOL_SEED: u64 = 0x7372_3235_3531_3900;

/// A message and its signature, as they arrive.
pub struct Signed {
    /// The signed message.
    pub message: [u8; 32],
    /// The signer's public key.
    pub public: [u8; 32],
    /// The signature.
    pub signature: [u8; 64],
}

impl Signed {
    /// A message, a key and a signature that follow from the state of `prng`.
    pub fn new(prng: &mut Prng) -> Self {
        let mut seed = [0; 32];
        let mut message = [0; 32];
        prng.fill(&mut seed);
        prng.fill(&mut message);
        let pair = keypair(&seed);
        let transcript = signing_context(CONTEXT).bytes(&message);
        let signature = pair.sign(attach_rng(transcript, FixedRng(prng)));
        Self {
            message,
            public: pair.public.to_bytes(),
            signature: signature.to_bytes(),
        }
    }

    /// Whether the signature is good.
    pub fn verify(&self) -> bool {
        verify(&self.public, &self.message, &self.signature)
    }
}

/// The key pair Substrate derives from a seed.
pub fn keypair(seed: &[u8; 32]) -> Keypair {
    MiniSecretKey::from_bytes(seed)
        .expect("any 32 bytes are a mini secret key")
        .expand_to_keypair(ExpansionMode::Ed25519)
}

/// Verifies from bytes.
pub fn verify(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let Ok(signature) = Signature::from_bytes(signature) else {
        return false;
    };
    let Ok(public) = PublicKey::from_bytes(public) else {
        return false;
    };
    public.verify_simple(CONTEXT, message, &signature).is_ok()
}

/// A pool of signatures made once, and the part of it that is next.
pub struct Sr25519Verify {
    pool: Vec<Signed>,
    next: usize,
}

impl Sr25519Verify {
    /// Makes the pool from a fixed seed.
    pub fn new() -> Self {
        let mut prng = Prng::new(POOL_SEED);
        Self {
            pool: (0..POOL).map(|_| Signed::new(&mut prng)).collect(),
            next: 0,
        }
    }
}

impl Workload for Sr25519Verify {
    fn unit(&self) -> super::Unit {
        super::Unit::Verifications
    }

    fn amount(&self) -> u64 {
        AT_ONCE as u64
    }

    fn rounds_per_ms(&self) -> f64 {
        8.0
    }

    fn refill(&mut self, _: &mut Prng) {
        self.next = (self.next + AT_ONCE) % POOL;
    }

    fn run(&mut self) -> u64 {
        self.pool[self.next..self.next + AT_ONCE]
            .iter()
            .map(|signed| {
                assert!(signed.verify(), "a good signature was rejected");
                u64::from(signed.signature[0])
            })
            .sum()
    }
}

/// Signing normally mixes in system randomness; a fixed source makes the pool the same every time.
struct FixedRng<'a>(&'a mut Prng);

impl RngCore for FixedRng<'_> {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u64() as u32
    }

    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        self.0.fill(out);
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core::Error> {
        self.0.fill(out);
        Ok(())
    }
}

/// A lie that is safe here: the keys of this pool guard nothing.
impl CryptoRng for FixedRng<'_> {}
