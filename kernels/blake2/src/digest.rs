//! Implements RustCrypto's traits (crate `digest` 0.11).

use super::{Algorithm, Hasher, ParallelHasher};
use digest::array::AssocArraySize;
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};

macro_rules! traits {
    ($hasher:ident) => {
        impl<A: Algorithm, const N: usize> HashMarker for $hasher<A, N> {}

        impl<A: Algorithm, const N: usize> OutputSizeUser for $hasher<A, N>
        where
            [u8; N]: AssocArraySize,
        {
            type OutputSize = <[u8; N] as AssocArraySize>::Size;
        }

        impl<A: Algorithm, const N: usize> Update for $hasher<A, N> {
            fn update(&mut self, data: &[u8]) {
                $hasher::update(self, data);
            }
        }

        impl<A: Algorithm, const N: usize> Reset for $hasher<A, N> {
            fn reset(&mut self) {
                $hasher::reset(self);
            }
        }

        impl<A: Algorithm, const N: usize> FixedOutput for $hasher<A, N>
        where
            [u8; N]: AssocArraySize,
        {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize());
            }
        }

        impl<A: Algorithm, const N: usize> FixedOutputReset for $hasher<A, N>
        where
            [u8; N]: AssocArraySize,
        {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize());
                $hasher::reset(self);
            }
        }
    };
}

traits!(Hasher);
traits!(ParallelHasher);
