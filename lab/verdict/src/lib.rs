//! From samples to words. Starts nothing and measures nothing.
//!
//! - [`judging`]: what a study claims, and what the judge says of each claim, look by look.
//! - [`causes`]: what the evidence says for and against each cause of an effect.
//! - [`verdicts`]: a variant's verdict, and the study's.
//! - [`mod@roll_up`]: the words of several workloads in one verdict.
//! - [`words`]: between the judge's terms and the evidence's.

pub mod causes;
pub mod judging;
pub mod roll_up;
pub mod verdicts;
pub mod words;
