//! See [`crate::rows_shifts`].

crate::rows_shifts::rows_shifts!(u32 BLAKE2S "blake2s");
