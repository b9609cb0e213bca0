//! A hash: a trait object is chosen by what there is, and kept.
#[path = "kernels.arm2.rs"]
mod kernels;
use kernels::*;
use std::sync::LazyLock;

trait Hasher: Sync + Send {
    fn name(&self) -> &'static str;
    fn hash(&self, a: &[i32]) -> i32;
}
struct Soft;
struct Sha3;
struct Atomics;
impl Hasher for Soft {
    fn name(&self) -> &'static str { "soft" }
    fn hash(&self, a: &[i32]) -> i32 { plain(a) }
}
impl Hasher for Sha3 {
    fn name(&self) -> &'static str { "sha3" }
    // SAFETY: none, on purpose: who chose this asked, or did not.
    fn hash(&self, a: &[i32]) -> i32 { unsafe { sha3(a) } }
}
impl Hasher for Atomics {
    fn name(&self) -> &'static str { "lse" }
    // SAFETY: as above.
    fn hash(&self, a: &[i32]) -> i32 { unsafe { lse(a) } }
}
static HASHER: LazyLock<Box<dyn Hasher>> = LazyLock::new(|| {
    if std::arch::is_aarch64_feature_detected!("sha3") {
        return Box::new(Sha3);
    }
    let atomics = if cfg!(bad) {
        std::arch::is_aarch64_feature_detected!("crc")
    } else {
        std::arch::is_aarch64_feature_detected!("lse")
    };
    if atomics { Box::new(Atomics) } else { Box::new(Soft) }
});
fn main() {
    println!("{} {}", HASHER.name(), HASHER.hash(&data()));
}
