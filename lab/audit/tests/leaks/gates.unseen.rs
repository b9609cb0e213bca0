//! As values.unseen.c, in Rust.

#![allow(unused)]

use std::arch::x86_64::*;
use std::sync::OnceLock;
use std::sync::atomic::*;
#[target_feature(enable = "avx2")]
#[inline(never)]
unsafe fn sum_avx2(p: &[i32]) -> i64 {
    let mut s = _mm256_setzero_si256();
    for c in p.chunks_exact(8) {
        // SAFETY: a chunk has eight numbers.
        let c = unsafe { _mm256_loadu_si256(c.as_ptr().cast()) };
        s = _mm256_add_epi32(s, c);
    }
    let mut t = [0i32; 8];
    // SAFETY: it has room for eight.
    unsafe { _mm256_storeu_si256(t.as_mut_ptr().cast(), s) };
    t.iter().map(|&x| x as i64).sum::<i64>()
}
#[inline(never)]
fn sum_base(p: &[i32]) -> i64 {
    p.iter().map(|&x| x as i64).sum()
}
fn data() -> Vec<i32> {
    let k = std::env::args().count() as i32;
    (0..64).map(|i| i * k).collect()
}
fn fast(p: &[i32]) -> i64 {
    // SAFETY: as sound as the question before it, which is what the program is for.
    unsafe { sum_avx2(p) }
}

fn has() -> bool {
    if cfg!(bad) {
        is_x86_feature_detected!("sse4.2")
    } else {
        is_x86_feature_detected!("avx2")
    }
}

#[cfg(as_direct)]
mod program {
    use super::*;
    pub fn main() {
        let d = data();
        let r = if has() { fast(&d) } else { sum_base(&d) };
        println!("{r}");
    }
}

#[cfg(as_oncelock)]
mod program {
    use super::*;
    static F: OnceLock<fn(&[i32]) -> i64> = OnceLock::new();
    #[inline(never)]
    fn sum(p: &[i32]) -> i64 {
        F.get_or_init(|| if has() { fast } else { sum_base })(p)
    }
    pub fn main() {
        println!("{}", sum(&data()));
    }
}

#[cfg(as_trait)]
mod program {
    use super::*;
    trait K {
        fn s(&self, p: &[i32]) -> i64;
    }
    struct A;
    struct B;
    impl K for A {
        fn s(&self, p: &[i32]) -> i64 {
            fast(p)
        }
    }
    impl K for B {
        fn s(&self, p: &[i32]) -> i64 {
            sum_base(p)
        }
    }
    #[inline(never)]
    fn mk() -> Box<dyn K> {
        if has() { Box::new(A) } else { Box::new(B) }
    }
    pub fn main() {
        println!("{}", mk().s(&data()));
    }
}

#[cfg(as_enum)]
mod program {
    use super::*;
    #[derive(Clone, Copy)]
    enum Be {
        Avx2,
        Base,
    }
    #[inline(never)]
    fn det() -> Be {
        if has() { Be::Avx2 } else { Be::Base }
    }
    pub fn main() {
        let b = det();
        let d = data();
        println!(
            "{}",
            match b {
                Be::Avx2 => fast(&d),
                Be::Base => sum_base(&d),
            }
        );
    }
}

#[cfg(as_atomicptr)]
mod program {
    use super::*;
    static F: AtomicPtr<()> = AtomicPtr::new(init as *mut ());
    fn init(p: &[i32]) -> i64 {
        let f: fn(&[i32]) -> i64 = if has() { fast } else { sum_base };
        F.store(f as *mut (), Ordering::Relaxed);
        f(p)
    }
    fn sum(p: &[i32]) -> i64 {
        // SAFETY: only such functions are stored there.
        let f: fn(&[i32]) -> i64 = unsafe { std::mem::transmute(F.load(Ordering::Relaxed)) };
        f(p)
    }
    pub fn main() {
        println!("{}", sum(&data()));
    }
}

#[cfg(as_token)]
mod program {
    use super::*;
    #[derive(Clone, Copy)]
    struct Tok(());
    impl Tok {
        #[inline(never)]
        fn new() -> Option<Tok> {
            has().then_some(Tok(()))
        }
        fn sum(self, p: &[i32]) -> i64 {
            fast(p)
        }
    }
    pub fn main() {
        let d = data();
        let r = match Tok::new() {
            Some(t) => t.sum(&d),
            None => sum_base(&d),
        };
        println!("{r}");
    }
}

#[cfg(as_atomicu8)]
mod program {
    use super::*;
    static L: AtomicU8 = AtomicU8::new(255);
    #[inline(never)]
    fn level() -> u8 {
        let l = L.load(Ordering::Relaxed);
        if l != 255 {
            return l;
        }
        let l = if has() { 2 } else { 0 };
        L.store(l, Ordering::Relaxed);
        l
    }
    pub fn main() {
        let d = data();
        println!("{}", if level() >= 2 { fast(&d) } else { sum_base(&d) });
    }
}

#[cfg(as_assert)]
mod program {
    use super::*;
    pub fn main() {
        assert!(has(), "needs it");
        println!("{}", fast(&data()));
    }
}

#[cfg(as_struct)]
mod program {
    use super::*;
    struct Ctx {
        fast: bool,
        n: usize,
    }
    impl Ctx {
        #[inline(never)]
        fn new() -> Ctx {
            Ctx { fast: has(), n: 64 }
        }
        #[inline(never)]
        fn sum(&self, p: &[i32]) -> i64 {
            if self.fast {
                fast(&p[..self.n])
            } else {
                sum_base(&p[..self.n])
            }
        }
    }
    pub fn main() {
        let c = Ctx::new();
        println!("{}", c.sum(&data()));
    }
}

#[cfg(as_vec)]
mod program {
    use super::*;
    pub fn main() {
        let mut v: Vec<fn(&[i32]) -> i64> = vec![sum_base];
        if has() {
            v.push(fast);
        }
        println!("{}", v.last().unwrap()(&data()));
    }
}

fn main() {
    program::main()
}
