//! Implements RustCrypto's traits (crate `digest`).

use super::{Hasher, OutputReader, Xof};
use digest::consts::{U28, U32, U48, U64};
use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Output,
    OutputSizeUser, Reset, Update, XofReader,
};

macro_rules! fixed {
    ($($length:literal $suffix:literal $size:ty;)*) => {$(
        impl OutputSizeUser for Hasher<$length, $suffix> {
            type OutputSize = $size;
        }

        impl FixedOutput for Hasher<$length, $suffix> {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize());
            }
        }

        impl FixedOutputReset for Hasher<$length, $suffix> {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize());
                self.reset();
            }
        }
    )*};
}

fixed! {
    32 0x01 U32;
    64 0x01 U64;
    28 0x06 U28;
    32 0x06 U32;
    48 0x06 U48;
    64 0x06 U64;
}

impl<const N: usize, const SUFFIX: u8> HashMarker for Hasher<N, SUFFIX> {}

impl<const N: usize, const SUFFIX: u8> Update for Hasher<N, SUFFIX> {
    fn update(&mut self, input: &[u8]) {
        self.update(input);
    }
}

impl<const N: usize, const SUFFIX: u8> Reset for Hasher<N, SUFFIX> {
    fn reset(&mut self) {
        self.reset();
    }
}

impl<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> HashMarker
    for Xof<RATE, SUFFIX, ROUNDS>
{
}

impl<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> Update
    for Xof<RATE, SUFFIX, ROUNDS>
{
    fn update(&mut self, input: &[u8]) {
        self.update(input);
    }
}

impl<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> Reset for Xof<RATE, SUFFIX, ROUNDS> {
    fn reset(&mut self) {
        self.reset();
    }
}

impl<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> ExtendableOutput
    for Xof<RATE, SUFFIX, ROUNDS>
{
    type Reader = OutputReader<RATE>;

    fn finalize_xof(self) -> Self::Reader {
        Self::finalize_xof(&self)
    }
}

impl<const RATE: usize, const SUFFIX: u8, const ROUNDS: usize> ExtendableOutputReset
    for Xof<RATE, SUFFIX, ROUNDS>
{
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        let reader = Self::finalize_xof(self);
        self.reset();
        reader
    }
}

impl<const RATE: usize> XofReader for OutputReader<RATE> {
    fn read(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
}
