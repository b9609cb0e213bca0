//! Tests of karat-judge against values computed elsewhere, and by simulation.

mod bimodal;
mod calibration;
mod degenerate;
mod describe;
mod drift;
mod family;
mod holm;
mod interval;
mod layouts;
mod looks;
mod neighbours;
mod normal;
mod permutation;
mod pilot;
mod replay;
mod rng;
mod sequential;
mod signs;
mod simulate;
mod slow;
mod soak;
mod student;
mod unpaired;
mod word;
