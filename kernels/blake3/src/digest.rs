//! Implements the traits of the crate `digest` (feature `digest`).

use super::{BLOCK_LEN, Hasher, KEY_LEN, OUT_LEN, OutputReader};
use digest::array::typenum::{U32, U64};
use digest::common::{BlockSizeUser, Key, KeyInit, KeySizeUser, OutputSizeUser, Reset};
use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Output,
    Update, XofReader,
};

const _: () = assert!(OUT_LEN == 32 && KEY_LEN == 32 && BLOCK_LEN == 64);

impl HashMarker for Hasher {}

impl OutputSizeUser for Hasher {
    type OutputSize = U32;
}

impl BlockSizeUser for Hasher {
    type BlockSize = U64;
}

impl KeySizeUser for Hasher {
    type KeySize = U32;
}

impl KeyInit for Hasher {
    fn new(key: &Key<Self>) -> Self {
        Self::new_keyed(&(*key).into())
    }
}

impl Update for Hasher {
    fn update(&mut self, input: &[u8]) {
        Self::update(self, input);
    }
}

impl Reset for Hasher {
    fn reset(&mut self) {
        Self::reset(self);
    }
}

impl FixedOutput for Hasher {
    fn finalize_into(self, out: &mut Output<Self>) {
        *out = self.finalize().into();
    }
}

impl FixedOutputReset for Hasher {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        *out = self.finalize().into();
        Self::reset(self);
    }
}

impl ExtendableOutput for Hasher {
    type Reader = OutputReader;

    fn finalize_xof(self) -> OutputReader {
        Self::finalize_xof(&self)
    }
}

impl ExtendableOutputReset for Hasher {
    fn finalize_xof_reset(&mut self) -> OutputReader {
        let reader = Self::finalize_xof(self);
        Self::reset(self);
        reader
    }
}

impl XofReader for OutputReader {
    fn read(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
}
