// karat for C and C++. Written by cbindgen from bindings/c/src; do not edit.
// SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define KARAT_ALIGNED(n) __attribute__((aligned(n)))
#define KARAT_BLAKE3_KEY_LEN 32
#define KARAT_BLAKE3_OUT_LEN 32
#define KARAT_BLAKE2B_OUTBYTES 64
#define KARAT_BLAKE2S_OUTBYTES 32


// How a call came out; 0 is well.
typedef enum karat_status {
  // Done.
  KARAT_OK = 0,
  // A pointer is null that must not be.
  KARAT_NULL = 1,
  // An argument is not allowed: a name, a length, an option.
  KARAT_ARGUMENT = 2,
  // A proof or a form is no such thing, or does not show what it should.
  KARAT_NOT_VERIFIED = 3,
  // A bug in karat, or `KARAT_FORCE` or `KARAT_TUNED` asks for what this CPU does not have.
  // Nothing is known of what the call has done.
  KARAT_INTERNAL = 4,
} karat_status;

// A code of so many data and parity shards. Several threads may use one.
typedef struct karat_codec karat_codec;

// An incremental hash of any name.
typedef struct karat_hasher karat_hasher;

// A tree.
typedef struct karat_nmt_tree karat_nmt_tree;

// Bytes of the caller's.
typedef struct karat_slice {
  // May be null when there are none.
  const uint8_t *data;
  // How many.
  size_t length;
} karat_slice;

// Options of a hash. All zero is none; what a hash has no use for is an error.
typedef struct karat_options {
  // Length of the digest, for BLAKE2 and KMAC; 0 for the usual one.
  size_t digest_size;
  // Key of BLAKE2, BLAKE3 and KMAC.
  struct karat_slice key;
  // Salt of BLAKE2.
  struct karat_slice salt;
  // Personalisation of BLAKE2.
  struct karat_slice personal;
  // Customisation of cSHAKE, KMAC and KangarooTwelve.
  struct karat_slice customization;
  // Context of BLAKE3's derivation of keys, or null.
  const char *context;
} karat_options;

// A state of BLAKE2b on the caller's stack, to be initialised before it is used. It may be
// copied and needs no freeing.
typedef struct KARAT_ALIGNED(64) karat_blake2b_state {
  uint8_t state[512];
} karat_blake2b_state;

// Parameters of BLAKE2b, as they lie in the first block (BLAKE2's paper, 2.8): numbers are
// little-endian.
typedef struct karat_blake2b_param {
  // 1 to 64.
  uint8_t digest_length;
  // 0: keys are given by `karat_blake2b_init_key`.
  uint8_t key_length;
  // 1 when there is no tree.
  uint8_t fanout;
  // 1 when there is no tree.
  uint8_t depth;
  // Bytes of a leaf.
  uint32_t leaf_length;
  // Number of the node in its layer.
  uint32_t node_offset;
  // 0.
  uint32_t xof_length;
  // Layer of the node.
  uint8_t node_depth;
  // Bytes of a digest inside of the tree.
  uint8_t inner_length;
  // 0.
  uint8_t reserved[14];
  // A salt.
  uint8_t salt[16];
  // What the hash is for.
  uint8_t personal[16];
} karat_blake2b_param;

// A state of BLAKE2s on the caller's stack, to be initialised before it is used. It may be
// copied and needs no freeing.
typedef struct KARAT_ALIGNED(64) karat_blake2s_state {
  uint8_t state[448];
} karat_blake2s_state;

// Parameters of BLAKE2s, as they lie in the first block (BLAKE2's paper, 2.8): numbers are
// little-endian.
typedef struct karat_blake2s_param {
  // 1 to 32.
  uint8_t digest_length;
  // 0: keys are given by `karat_blake2s_init_key`.
  uint8_t key_length;
  // 1 when there is no tree.
  uint8_t fanout;
  // 1 when there is no tree.
  uint8_t depth;
  // Bytes of a leaf.
  uint32_t leaf_length;
  // Number of the node in its layer.
  uint32_t node_offset;
  // 0.
  uint16_t xof_length;
  // Layer of the node.
  uint8_t node_depth;
  // Bytes of a digest inside of the tree.
  uint8_t inner_length;
  // A salt.
  uint8_t salt[8];
  // What the hash is for.
  uint8_t personal[8];
} karat_blake2s_param;

// A hasher on the caller's stack, to be initialised before it is used. It may be copied and
// needs no freeing.
typedef struct KARAT_ALIGNED(64) karat_blake3_hasher {
  uint8_t state[2048];
} karat_blake3_hasher;

// The rule of a tree. Celestia's is 29 and true.
typedef struct karat_nmt_format {
  // Bytes of a namespace, 1 to 255.
  uint8_t namespace_size;
  // Whether the largest namespace counts for nothing in nodes.
  bool ignore_max;
} karat_nmt_format;

// A leaf: its namespace, and its data.
typedef struct karat_leaf {
  // As many bytes as the tree's namespaces have.
  struct karat_slice name_space;
  // Any number of bytes.
  struct karat_slice data;
} karat_leaf;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Why the last call of this thread that failed did so, in words. Valid until the thread's
// next failure.
const char *karat_message(void);

// karat's version.
const char *karat_version(void);

// Writes the length of a name's digests to `size`: 0 for those of any length without a
// usual one.
// Pointers: `name` ends with a zero; `options` is null or good.
enum karat_status karat_digest_size(const char *name,
                                    const struct karat_options *options,
                                    size_t *size);

// The digest of a message. `out_length` is the digest's length, or as much as is wanted of
// extendable output. `options` may be null.
// Pointers are good for their lengths, and `out` overlaps nothing.
enum karat_status karat_hash(const char *name,
                             const struct karat_options *options,
                             const uint8_t *data,
                             size_t length,
                             uint8_t *out,
                             size_t out_length);

// The digests of many messages, several at a time, one behind the other in `out`, whose length
// is that of all of them.
// Pointers: As `karat_hash`.
enum karat_status karat_hash_many(const char *name,
                                  const struct karat_options *options,
                                  const struct karat_slice *messages,
                                  size_t count,
                                  uint8_t *out,
                                  size_t out_length);

// Makes a hasher without input; `karat_hasher_free` frees it.
// Pointers: `name` ends with a zero; `options` is null or good.
enum karat_status karat_hasher_new(const char *name,
                                   const struct karat_options *options,
                                   struct karat_hasher **hasher);

// Adds a piece of the message.
// Pointers: The hasher is one that was made and is used by no other thread meanwhile.
enum karat_status karat_hasher_update(struct karat_hasher *hasher,
                                      const uint8_t *data,
                                      size_t length);

// The digest of all pieces so far; more may follow. Of extendable output, `length` bytes
// from `position` on; `position` is 0 for all others. BLAKE3 goes to any place at once; the
// others make all output before it, so a far place takes long.
// Pointers: As `karat_hasher_update`.
enum karat_status karat_hasher_digest(const struct karat_hasher *hasher,
                                      uint64_t position,
                                      uint8_t *out,
                                      size_t length);

// Makes another hasher with the same pieces so far.
// Pointers: As `karat_hasher_update`.
enum karat_status karat_hasher_clone(const struct karat_hasher *hasher,
                                     struct karat_hasher **copy);

// Frees a hasher; null is let alone.
// Pointers: The hasher is one that was made, and is not used again.
void karat_hasher_free(struct karat_hasher *hasher);

// BLAKE2b of a message, perhaps under a key.
// Pointers are good for their lengths, and `out` overlaps nothing.
enum karat_status karat_blake2b(uint8_t *out,
                                size_t out_length,
                                const uint8_t *input,
                                size_t length,
                                const uint8_t *key,
                                size_t key_length);

// Begins a hash with digests of `out_length` bytes.
// Pointers: The place has room for a state.
enum karat_status karat_blake2b_init(struct karat_blake2b_state *state, size_t out_length);

// Begins a hash under a key.
// Pointers: The place has room for a state; the key has its bytes.
enum karat_status karat_blake2b_init_key(struct karat_blake2b_state *state,
                                         size_t out_length,
                                         const uint8_t *key,
                                         size_t key_length);

// Begins a hash with these parameters.
// Pointers: The place has room for a state; the parameters are there.
enum karat_status karat_blake2b_init_param(struct karat_blake2b_state *state,
                                           const struct karat_blake2b_param *param);

// Adds input.
// Pointers: The state was initialised, and no other thread uses it.
enum karat_status karat_blake2b_update(struct karat_blake2b_state *state,
                                       const uint8_t *input,
                                       size_t length);

// The digest; `out_length` is at least the length that `init` was told.
// Pointers: As `karat_blake2b_update`.
enum karat_status karat_blake2b_final(struct karat_blake2b_state *state,
                                      uint8_t *out,
                                      size_t out_length);

// BLAKE2s of a message, perhaps under a key.
// Pointers are good for their lengths, and `out` overlaps nothing.
enum karat_status karat_blake2s(uint8_t *out,
                                size_t out_length,
                                const uint8_t *input,
                                size_t length,
                                const uint8_t *key,
                                size_t key_length);

// Begins a hash with digests of `out_length` bytes.
// Pointers: The place has room for a state.
enum karat_status karat_blake2s_init(struct karat_blake2s_state *state, size_t out_length);

// Begins a hash under a key.
// Pointers: The place has room for a state; the key has its bytes.
enum karat_status karat_blake2s_init_key(struct karat_blake2s_state *state,
                                         size_t out_length,
                                         const uint8_t *key,
                                         size_t key_length);

// Begins a hash with these parameters.
// Pointers: The place has room for a state; the parameters are there.
enum karat_status karat_blake2s_init_param(struct karat_blake2s_state *state,
                                           const struct karat_blake2s_param *param);

// Adds input.
// Pointers: The state was initialised, and no other thread uses it.
enum karat_status karat_blake2s_update(struct karat_blake2s_state *state,
                                       const uint8_t *input,
                                       size_t length);

// The digest; `out_length` is at least the length that `init` was told.
// Pointers: As `karat_blake2s_update`.
enum karat_status karat_blake2s_final(struct karat_blake2s_state *state,
                                      uint8_t *out,
                                      size_t out_length);

// Begins a hash.
// Pointers: The place has room for a hasher.
enum karat_status karat_blake3_hasher_init(struct karat_blake3_hasher *hasher);

// Begins a hash under a key of 32 bytes.
// Pointers: As `karat_blake3_hasher_init`; the key has 32 bytes.
enum karat_status karat_blake3_hasher_init_keyed(struct karat_blake3_hasher *hasher,
                                                 const uint8_t *key);

// Begins a derivation of keys.
// Pointers: As `karat_blake3_hasher_init`; the context ends with a zero.
enum karat_status karat_blake3_hasher_init_derive_key(struct karat_blake3_hasher *hasher,
                                                      const char *context);

// Adds input.
// Pointers: The hasher was initialised, and no other thread uses it.
enum karat_status karat_blake3_hasher_update(struct karat_blake3_hasher *hasher,
                                             const uint8_t *input,
                                             size_t length);

// The first `length` bytes of output.
// Pointers: As `karat_blake3_hasher_update`.
enum karat_status karat_blake3_hasher_finalize(const struct karat_blake3_hasher *hasher,
                                               uint8_t *out,
                                               size_t length);

// `length` bytes of output from `seek` on.
// Pointers: As `karat_blake3_hasher_update`.
enum karat_status karat_blake3_hasher_finalize_seek(const struct karat_blake3_hasher *hasher,
                                                    uint64_t seek,
                                                    uint8_t *out,
                                                    size_t length);

// Forgets the input, but no key.
// Pointers: As `karat_blake3_hasher_update`.
enum karat_status karat_blake3_hasher_reset(struct karat_blake3_hasher *hasher);

// Makes the tree of leaves that are in the order of their namespaces; `karat_nmt_tree_free`
// frees it.
// Pointers are good for their lengths.
enum karat_status karat_nmt_tree_new(struct karat_nmt_format format,
                                     const struct karat_leaf *leaves,
                                     size_t count,
                                     struct karat_nmt_tree **tree);

// Frees a tree; null is let alone.
// Pointers: The tree is one that was made, and is not used again.
void karat_nmt_tree_free(struct karat_nmt_tree *tree);

// Writes the root: two namespaces and 32 bytes. `length` says how much room there is, and
// must be just that.
// Pointers are good for their lengths.
enum karat_status karat_nmt_tree_root(const struct karat_nmt_tree *tree,
                                      uint8_t *out,
                                      size_t length);

// Writes a proof of the leaves from `start` to before `end`, in the form of Celestia's
// library in Go (Protocol Buffers). `*length` is the room there is, and becomes the length
// of the proof; with `out` null nothing else is done.
// Pointers are good for their lengths.
enum karat_status karat_nmt_tree_prove(const struct karat_nmt_tree *tree,
                                       size_t start,
                                       size_t end,
                                       uint8_t *out,
                                       size_t *length);

// As `karat_nmt_tree_prove`, of all leaves of a namespace, or that there are none.
// Pointers are good for their lengths.
enum karat_status karat_nmt_tree_prove_namespace(const struct karat_nmt_tree *tree,
                                                 struct karat_slice name_space,
                                                 uint8_t *out,
                                                 size_t *length);

// Whether a proof shows that these leaves, side by side, are in the tree: KARAT_OK or
// KARAT_NOT_VERIFIED. Their numbers are shown only if `leaves_in_tree` is not 0.
// Pointers are good for their lengths.
enum karat_status karat_nmt_verify(struct karat_nmt_format format,
                                   struct karat_slice root,
                                   uint64_t leaves_in_tree,
                                   struct karat_slice proof,
                                   const struct karat_leaf *leaves,
                                   size_t count);

// Whether a proof shows that these data are all that the namespace has.
// Pointers are good for their lengths.
enum karat_status karat_nmt_verify_namespace(struct karat_nmt_format format,
                                             struct karat_slice root,
                                             uint64_t leaves_in_tree,
                                             struct karat_slice proof,
                                             struct karat_slice name_space,
                                             const struct karat_slice *data,
                                             size_t count);

// Makes a codec; `karat_codec_free` frees it. `code` is 'A' (klauspost/reedsolomon), 'B'
// (Leopard over GF(2^8)), 'C' (Leopard over GF(2^16)) or 'D' (ISA-L's Cauchy matrix).
// Pointers: `codec` may be written to.
enum karat_status karat_codec_new(char code,
                                  size_t data,
                                  size_t parity,
                                  struct karat_codec **codec);

// Frees a codec; null is let alone.
// Pointers: The codec is one that was made, and is not used again.
void karat_codec_free(struct karat_codec *codec);

// Writes the parity shards of data shards, all of `length` bytes.
// Pointers: `data` and `parity` point to as many pointers as the codec has shards of that kind, each
// to `length` bytes; parity shards overlap nothing.
enum karat_status karat_codec_encode(const struct karat_codec *codec,
                                     const uint8_t *const *data,
                                     uint8_t *const *parity,
                                     size_t length);

// Makes lost shards where they belong. `shards` are all, data and then parity; `present`
// says of each whether it is there.
// Pointers: `shards` and `present` have as many elements as the codec has shards; each shard has
// `length` bytes, and they do not overlap.
enum karat_status karat_codec_reconstruct(const struct karat_codec *codec,
                                          uint8_t *const *shards,
                                          const uint8_t *present,
                                          size_t length);

// Writes to `fits` whether the parity shards are those of the data shards.
// Pointers: As `karat_codec_encode`.
enum karat_status karat_codec_verify(const struct karat_codec *codec,
                                     const uint8_t *const *data,
                                     const uint8_t *const *parity,
                                     size_t length,
                                     bool *fits);

// Whether a proof shows what `x` is after so many squarings: KARAT_OK or
// KARAT_NOT_VERIFIED. The discriminant is written as chiavdf does, `-0x` and hexadecimal
// digits; form and proof are chiavdf's bytes.
// Pointers are good for their lengths; the discriminant ends with a zero.
enum karat_status karat_vdf_verify(const char *discriminant,
                                   struct karat_slice x,
                                   struct karat_slice proof,
                                   uint64_t iterations);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus
