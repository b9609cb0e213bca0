//! What BLAKE2b and BLAKE2s do alike. It is a macro because their types are not the same; what
//! C sees stands in `blake2.rs` and `blake2_types.rs`, because cbindgen reads sources and no macros.

use crate::blake2_types::{
    karat_blake2b_param, karat_blake2b_state, karat_blake2s_param, karat_blake2s_state,
};
use crate::bytes::{object, read, write};
use crate::status::{Failure, argument, null};

macro_rules! kind {
    ($module:ident, $name:literal, $most:literal, $place:ident, $param:ident) => {
        pub(crate) mod $module {
            use super::*;
            use karat_hash::$module::{Hasher, Params};

            /// What lies in the caller's state.
            struct State {
                hasher: Hasher<$most>,
                length: usize,
            }

            const _: () = {
                assert!(size_of::<State>() <= size_of::<$place>());
                assert!(align_of::<State>() <= align_of::<$place>());
                assert!(!std::mem::needs_drop::<State>());
            };

            fn params(length: usize, key: &[u8]) -> Result<Params<$most>, Failure> {
                if !(1..=$most).contains(&length) {
                    return Err(argument(format!(
                        concat!("a digest of {} bytes: ", $name, " has 1 to ", $most),
                        length
                    )));
                }
                if key.len() > $most {
                    return Err(argument(format!(
                        concat!("a key of {} bytes: ", $name, " takes up to ", $most),
                        key.len()
                    )));
                }
                Ok(Params::new().digest_length(length).key(key))
            }

            /// # Safety
            /// The place has room for a state, or is null.
            unsafe fn begin(
                place: *mut $place,
                params: &Params<$most>,
                length: usize,
            ) -> Result<(), Failure> {
                if place.is_null() {
                    return Err(null("state"));
                }
                let hasher = params.to_hasher();
                // SAFETY: the caller's promise, and the assertions above.
                unsafe { place.cast::<State>().write(State { hasher, length }) };
                Ok(())
            }

            /// # Safety
            /// Pointers are good for their lengths, or null, and `out` overlaps nothing.
            pub(crate) unsafe fn hash(
                out: (*mut u8, usize),
                input: (*const u8, usize),
                key: (*const u8, usize),
            ) -> Result<(), Failure> {
                // SAFETY: the caller's promise.
                let key = unsafe { read(key.0, key.1, "key") }?;
                // SAFETY: the caller's promise.
                let input = unsafe { read(input.0, input.1, "in") }?;
                let digest = params(out.1, key)?.hash(input);
                // SAFETY: the caller's promises.
                unsafe { write(out.0, out.1, "out")? }.copy_from_slice(&digest[..out.1]);
                Ok(())
            }

            /// # Safety
            /// The place has room for a state, the key has its bytes; or they are null.
            pub(crate) unsafe fn init(
                place: *mut $place,
                length: usize,
                key: (*const u8, usize),
            ) -> Result<(), Failure> {
                // SAFETY: the caller's promises.
                unsafe { begin(place, &params(length, read(key.0, key.1, "key")?)?, length) }
            }

            /// # Safety
            /// The place has room for a state, the parameters are there; or they are null.
            pub(crate) unsafe fn init_param(
                place: *mut $place,
                param: *const $param,
            ) -> Result<(), Failure> {
                // SAFETY: the caller's promise.
                let param = unsafe { object(param, "param") }?;
                // The reference code leaves the block of the key to its caller; here it would
                // be missing.
                if param.key_length > 0 {
                    return Err(argument(format!(
                        "a key of {} bytes among the parameters: give keys to init_key",
                        param.key_length
                    )));
                }
                if param.depth == 0 {
                    return Err(argument("a depth of 0: without a tree it is 1"));
                }
                if param.inner_length > $most {
                    return Err(argument(format!(
                        concat!("inner digests of {} bytes: ", $most, " at most"),
                        param.inner_length
                    )));
                }
                if param.xof_length != 0 {
                    return Err(argument(
                        "a length of extendable output: there is no BLAKE2X here",
                    ));
                }
                let length = usize::from(param.digest_length);
                let params = params(length, &[])?
                    .salt(&param.salt)
                    .personal(&param.personal)
                    .fanout(param.fanout)
                    .max_depth(param.depth)
                    .max_leaf_length(u32::from_le(param.leaf_length))
                    .node_offset(u32::from_le(param.node_offset).into())
                    .node_depth(param.node_depth)
                    .inner_hash_length(param.inner_length.into());
                // SAFETY: the caller's promise.
                unsafe { begin(place, &params, length) }
            }

            /// # Safety
            /// The state was initialised and is nobody else's, the input has its bytes; or they
            /// are null.
            pub(crate) unsafe fn update(
                place: *mut $place,
                input: (*const u8, usize),
            ) -> Result<(), Failure> {
                // SAFETY: the caller's promise.
                let state = unsafe { place.cast::<State>().as_mut() };
                // SAFETY: the caller's promise.
                let input = unsafe { read(input.0, input.1, "in") }?;
                state.ok_or_else(|| null("state"))?.hasher.update(input);
                Ok(())
            }

            /// # Safety
            /// The state was initialised, the output has its bytes; or they are null.
            pub(crate) unsafe fn finish(
                place: *const $place,
                out: (*mut u8, usize),
            ) -> Result<(), Failure> {
                // SAFETY: the caller's promise.
                let state = unsafe { object(place.cast::<State>(), "state") }?;
                if out.1 < state.length {
                    return Err(argument(format!(
                        "room for {} bytes, the digest has {}",
                        out.1, state.length
                    )));
                }
                // SAFETY: the caller's promise.
                let out = unsafe { write(out.0, state.length, "out") }?;
                out.copy_from_slice(&state.hasher.finalize()[..state.length]);
                Ok(())
            }
        }
    };
}

kind!(
    blake2b,
    "BLAKE2b",
    64,
    karat_blake2b_state,
    karat_blake2b_param
);
kind!(
    blake2s,
    "BLAKE2s",
    32,
    karat_blake2s_state,
    karat_blake2s_param
);
