//! Tests of karat-judge against values computed elsewhere, and by simulation.

mod calibration;
mod degenerate;
mod describe;
mod family;
mod holm;
mod interval;
mod looks;
mod normal;
mod permutation;
mod rng;
mod simulate;
mod verdict;
