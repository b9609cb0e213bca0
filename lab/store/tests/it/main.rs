//! Run folders and their index, on real files.

mod history;
mod runs;
mod sample;
mod trouble;
