//! Not here yet.
