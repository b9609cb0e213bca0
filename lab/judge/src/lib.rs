//! Statistics and verdict rules of karat.
//!
//! Two arms, a baseline and a variant, are measured in the same rounds, in random order inside
//! each round. This crate turns their costs into one of four words, with an error rate that is
//! known beforehand:
//!
//! ```text
//! costs ─► scores by round ─► log ratio ─► label-swap test ─► Holm ─► interval ─► word
//! ```
//!
//! - A *score* of a round is positive when the variant was slower and turns its sign when the
//!   labels are swapped: several robust ones, of which the one that scatters least counts most
//!   (`scores.rs`). Some look at quiet runs only, one at costs against the level of the machine
//!   that the samples next in time show (`level.rs`).
//! - A *cost* is lower-is-better, in any unit. The caller converts a throughput to 1/throughput.
//! - A *log ratio* is ln(variant/baseline): negative is faster, and exp(x) - 1 is the relative
//!   change.
//! - A *margin* is the smallest effect that matters, in the same log units ([`log_margin`]).
//!
//! [`judge_family`] does all of it for the comparisons of one look, [`looks`] and [`schedule`] say
//! when to look, and [`judge_aa`] says whether the measurement can be trusted. [`judge_runs`] is for runs that were not made in rounds.
//! [`pilot`] says how many layouts a workload needs, [`drift`] and [`modes`] describe what the
//! costs of one arm did over a run. Of a series in time [`slope`], [`change_points`] and [`Blocks`]
//! say what it did, with intervals that respect that neighbours resemble each other; [`tail`]
//! says how far its times reach. Everything is pure: no I/O, no clock, and the same costs (and
//! seed, where one is taken) give the same answer on any number of cores.
//!
//! ```
//! use karat_judge::{Judgement, Pair, judge_family, log_margin};
//!
//! let baseline: Vec<f64> = (0..20).map(|i| 1.0 + 0.001 * f64::from(i * 7 % 5)).collect();
//! let variant: Vec<f64> = baseline.iter().rev().map(|cost| cost * 0.97).collect();
//! let pair = Pair::new(&baseline, &variant, log_margin(0.01));
//!
//! let outcome = judge_family(&[pair], 0, 0.05).remove(0)?;
//! assert_eq!(outcome.judgement, Judgement::Faster);
//! assert!(outcome.low < 0.97f64.ln() && 0.97f64.ln() < outcome.high);
//! # Ok::<(), karat_judge::JudgeError>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod aa;
mod autocorrelation;
mod bimodal;
mod bootstrap;
mod change_points;
mod describe;
mod dip;
mod drift;
mod error;
mod family;
mod faster_half;
mod fisher;
mod floor;
mod holm;
mod interval;
mod layouts;
mod level;
mod looks;
mod pair;
mod paired;
mod parallel;
mod permutation;
mod pilot;
mod power;
mod rng;
mod root;
mod scores;
mod signs;
mod slope;
mod spread;
mod student;
mod tails;
mod two_sample;
mod unpaired;
mod word;

pub use aa::{AaGate, AaStatus, judge_aa};
pub use bimodal::{Modes, modes};
pub use bootstrap::{Blocks, middle, variation};
pub use change_points::{ChangePoint, Shape, change_points, shape};
pub use describe::{median, quantile};
pub use drift::{Drift, drift};
pub use error::{JudgeError, Side};
pub use family::{Outcome, judge_family};
pub use faster_half::faster_half_mean;
pub use floor::Estimate;
pub use holm::{HolmStep, holm};
pub use interval::{Interval, confidence_interval};
pub use layouts::{Decider, LayoutSpread, Layouts};
pub use looks::{ALPHA, Look, LookAtRound, looks, schedule};
pub use pair::{Arm, Layout, Pair};
pub use paired::Paired;
pub use permutation::{p_value, permutation_sd};
pub use pilot::{FEWEST_LAYOUTS, Pilot, PilotDecision, pilot};
pub use power::{minimum_detectable_effect, normal_p, normal_quantile};
pub use rng::Rng;
pub use signs::sign_p;
pub use slope::{Slope, slope};
pub use student::{student_critical, student_p};
pub use tails::{Tail, tail};
pub use unpaired::{NoiseSource, Runs, RunsOutcome, judge_runs};
pub use word::{Judgement, judge, log_margin, more_rounds_needed};
