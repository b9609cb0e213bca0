//! BLAKE2 with the block of parameters of its reference code: salts, personalisation, trees.

use crate::blake2::{
    begin_b, begin_s, blake2b_params, blake2s_params, karat_blake2b_state, karat_blake2s_state,
};
use crate::bytes::object;
use crate::status::{Failure, argument, guard, karat_status};

/// Parameters of BLAKE2b, as they lie in the first block (BLAKE2's paper, 2.8): numbers are
/// little-endian.
#[repr(C)]
pub struct karat_blake2b_param {
    /// 1 to 64.
    pub digest_length: u8,
    /// 0: keys are given by `karat_blake2b_init_key`.
    pub key_length: u8,
    /// 1 when there is no tree.
    pub fanout: u8,
    /// 1 when there is no tree.
    pub depth: u8,
    /// Bytes of a leaf.
    pub leaf_length: u32,
    /// Number of the node in its layer.
    pub node_offset: u32,
    /// 0.
    pub xof_length: u32,
    /// Layer of the node.
    pub node_depth: u8,
    /// Bytes of a digest inside of the tree.
    pub inner_length: u8,
    /// 0.
    pub reserved: [u8; 14],
    /// A salt.
    pub salt: [u8; 16],
    /// What the hash is for.
    pub personal: [u8; 16],
}

const _: () = assert!(size_of::<karat_blake2b_param>() == 64);

/// Begins a hash with these parameters.
///
/// # Safety
/// The place has room for a state; the parameters are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2b_init_param(
    state: *mut karat_blake2b_state,
    param: *const karat_blake2b_param,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let param = object(param, "param")?;
        no_key(param.key_length)?;
        tree(param.depth, param.inner_length, 64)?;
        if param.xof_length != 0 {
            return Err(argument(
                "a length of extendable output: there is no BLAKE2X here",
            ));
        }
        let length = usize::from(param.digest_length);
        let params = blake2b_params(length, &[])?
            .salt(&param.salt)
            .personal(&param.personal)
            .fanout(param.fanout)
            .max_depth(param.depth)
            .max_leaf_length(u32::from_le(param.leaf_length))
            .node_offset(u32::from_le(param.node_offset).into())
            .node_depth(param.node_depth)
            .inner_hash_length(param.inner_length.into());
        begin_b(state, &params, length)
    })
}

/// Parameters of BLAKE2s, as they lie in the first block (BLAKE2's paper, 2.8): numbers are
/// little-endian.
#[repr(C)]
pub struct karat_blake2s_param {
    /// 1 to 32.
    pub digest_length: u8,
    /// 0: keys are given by `karat_blake2s_init_key`.
    pub key_length: u8,
    /// 1 when there is no tree.
    pub fanout: u8,
    /// 1 when there is no tree.
    pub depth: u8,
    /// Bytes of a leaf.
    pub leaf_length: u32,
    /// Number of the node in its layer.
    pub node_offset: u32,
    /// 0.
    pub xof_length: u16,
    /// Layer of the node.
    pub node_depth: u8,
    /// Bytes of a digest inside of the tree.
    pub inner_length: u8,
    /// A salt.
    pub salt: [u8; 8],
    /// What the hash is for.
    pub personal: [u8; 8],
}

const _: () = assert!(size_of::<karat_blake2s_param>() == 32);

/// Begins a hash with these parameters.
///
/// # Safety
/// The place has room for a state; the parameters are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2s_init_param(
    state: *mut karat_blake2s_state,
    param: *const karat_blake2s_param,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let param = object(param, "param")?;
        no_key(param.key_length)?;
        tree(param.depth, param.inner_length, 32)?;
        if param.xof_length != 0 {
            return Err(argument(
                "a length of extendable output: there is no BLAKE2X here",
            ));
        }
        let length = usize::from(param.digest_length);
        let params = blake2s_params(length, &[])?
            .salt(&param.salt)
            .personal(&param.personal)
            .fanout(param.fanout)
            .max_depth(param.depth)
            .max_leaf_length(u32::from_le(param.leaf_length))
            .node_offset(u32::from_le(param.node_offset).into())
            .node_depth(param.node_depth)
            .inner_hash_length(param.inner_length.into());
        begin_s(state, &params, length)
    })
}

/// The reference code leaves the block of the key to its caller; here it would be missing.
fn no_key(length: u8) -> Result<(), Failure> {
    if length == 0 {
        return Ok(());
    }
    Err(argument(format!(
        "a key of {length} bytes among the parameters: give keys to init_key"
    )))
}

fn tree(depth: u8, inner: u8, most: u8) -> Result<(), Failure> {
    if depth == 0 {
        return Err(argument("a depth of 0: without a tree it is 1"));
    }
    if inner > most {
        return Err(argument(format!(
            "inner digests of {inner} bytes: {most} at most"
        )));
    }
    Ok(())
}
