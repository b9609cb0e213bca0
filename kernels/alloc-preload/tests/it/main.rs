//! Programs under `LD_PRELOAD`: small ones that ask for what is promised, or make
//! mistakes, and real ones that must not notice.

mod mistakes;
mod preload;
mod programs;
mod promises;
mod sampled;
