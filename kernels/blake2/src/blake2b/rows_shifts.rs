//! See [`crate::rows_shifts`].

crate::rows_shifts::rows_shifts!(u64 BLAKE2B "blake2b");
