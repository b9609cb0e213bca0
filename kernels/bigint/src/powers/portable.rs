//! One power after the other.

use super::{Job, LIMBS, is_two};
use crate::{Montgomery, Uint};

pub(super) fn powers(jobs: &mut [Job<'_>]) {
    for job in jobs {
        one(job);
    }
}

pub(super) fn one(job: &mut Job<'_>) {
    let number = |limbs| Uint::<LIMBS>::from_limbs(limbs).unwrap_or_default();
    let Some(field) = Montgomery::new(&number(job.modulus)) else {
        return;
    };
    let exponent = number(job.exponent);
    let power = if is_two(job.base) {
        field.number(&field.two_power(&exponent))
    } else {
        field.pow(&number(job.base), &exponent)
    };
    job.result.fill(0);
    job.result[..power.limbs().len()].copy_from_slice(power.limbs());
}
