//! What the tables hold, apart from how a format draws them.

pub mod causes;
pub mod census;
pub mod findings;
pub mod layout;
pub mod machine;
pub mod matrix;
pub mod neighbours;
pub mod noise;
pub mod oddities;
pub mod pairs;
pub mod parity;
pub mod survival;
pub mod usage;
