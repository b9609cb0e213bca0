//! States and parameters of BLAKE2, as C sees them.

/// A state of BLAKE2b on the caller's stack, to be initialised before it is used. It may be
/// copied and needs no freeing.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct karat_blake2b_state {
    state: [u8; 512],
}

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

/// A state of BLAKE2s on the caller's stack, to be initialised before it is used. It may be
/// copied and needs no freeing.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct karat_blake2s_state {
    state: [u8; 448],
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
