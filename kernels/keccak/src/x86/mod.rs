//! Assembly for x86-64. The compiler cannot vectorise, lower again or spill it, so it
//! is the same under all flags.

mod absorb512;
pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod avx512_one;
mod padding256;
mod padding512;
mod rounds512;
pub(crate) mod scalar;
mod words512;

use super::portable::{ROUND_CONSTANTS, constants};
use karat_cpu::IsaSet;

pub(crate) const AVX512: IsaSet = IsaSet::of(&["avx512f", "avx512vl", "avx512bw", "bmi2"]);
pub(crate) const AVX2: IsaSet = IsaSet::of(&["avx2"]);
pub(crate) const BMI2: IsaSet = IsaSet::of(&["bmi1", "bmi2"]);
