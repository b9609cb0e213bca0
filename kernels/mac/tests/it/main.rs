//! Official vectors, other crates as oracles, and lanes against one by one.

mod oracles;
mod random;
mod refused;
mod vectors;
