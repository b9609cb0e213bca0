//! The check that users run, run here.
