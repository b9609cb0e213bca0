// Services: traits, tokens and threads.
#![allow(unused)]
#[path = "products.seventh.rs"]
mod products;
use products::*;
use std::arch::x86_64::*;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, mpsc};
use std::thread;

#[cfg(STATIC_BACKENDS)]
mod program {
    // Backends are statics behind a trait; the best that is available is kept in a OnceLock.
    use super::*;
    pub trait Backend: Sync {
        fn name(&self) -> &'static str;
        fn rank(&self) -> u32;
        fn available(&self) -> bool {
            true
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32;
        fn ones(&self, p: &[u64]) -> u64 {
            ones_plain(p)
        }
    }
    struct Plain;
    struct Avx;
    struct Avx2;
    impl Backend for Plain {
        fn name(&self) -> &'static str {
            "plain"
        }
        fn rank(&self) -> u32 {
            0
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
    }
    impl Backend for Avx {
        fn name(&self) -> &'static str {
            "avx"
        }
        fn rank(&self) -> u32 {
            1
        }
        fn available(&self) -> bool {
            is_x86_feature_detected!("avx")
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            // SAFETY: who chose this asked the CPU (the twin is wrong on purpose).
            unsafe { dot_avx(a, b) }
        }
    }
    impl Backend for Avx2 {
        fn name(&self) -> &'static str {
            "avx2"
        }
        fn rank(&self) -> u32 {
            2
        }
        #[cfg(not(BAD))]
        fn available(&self) -> bool {
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
        }
        fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
            // SAFETY: who chose this asked the CPU (the twin is wrong on purpose).
            unsafe { dot_fma(a, b) }
        }
        fn ones(&self, p: &[u64]) -> u64 {
            // SAFETY: who chose this asked the CPU (the twin is wrong on purpose).
            unsafe { ones_avx2(p) }
        }
    }
    static BACKENDS: [&dyn Backend; 3] = [&Plain, &Avx, &Avx2];
    fn backend() -> &'static dyn Backend {
        static CHOSEN: OnceLock<&'static dyn Backend> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let wanted = std::env::var("SERVICE_BACKEND").ok();
            BACKENDS
                .iter()
                .copied()
                .filter(|b| b.available() && wanted.as_deref().is_none_or(|w| w == b.name()))
                .max_by_key(|b| b.rank())
                .unwrap_or(&Plain)
        })
    }
    pub fn run() {
        let (a, b) = (floats(200, 3), floats(200, 7));
        eprintln!("{}", backend().name());
        println!("{} {}", backend().dot(&a, &b), backend().ones(&words(50)));
    }
}

#[cfg(TOKENS)]
mod program {
    // A token of a level can be had only where the CPU has it; operations are generic over tokens.
    use super::*;
    pub trait Simd: Copy {
        fn dot(self, a: &[f32], b: &[f32]) -> f32;
        fn ones(self, p: &[u64]) -> u64;
    }
    #[derive(Clone, Copy)]
    pub struct Scalar;
    #[derive(Clone, Copy)]
    pub struct V3 {
        _private: (),
    }
    impl V3 {
        pub fn try_new() -> Option<V3> {
            #[cfg(BAD)]
            let all = is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("bmi1");
            #[cfg(not(BAD))]
            let all = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("bmi1");
            all.then_some(V3 { _private: () })
        }
    }
    impl Simd for Scalar {
        fn dot(self, a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
        fn ones(self, p: &[u64]) -> u64 {
            ones_plain(p)
        }
    }
    impl Simd for V3 {
        fn dot(self, a: &[f32], b: &[f32]) -> f32 {
            // SAFETY: who chose this asked the CPU (the twin is wrong on purpose).
            unsafe { dot_fma(a, b) }
        }
        fn ones(self, p: &[u64]) -> u64 {
            // SAFETY: who chose this asked the CPU (the twin is wrong on purpose).
            unsafe { ones_avx2(p) }
        }
    }
    pub trait WithSimd {
        type Output;
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output;
    }
    #[derive(Clone, Copy)]
    pub enum Arch {
        Scalar(Scalar),
        V3(V3),
    }
    impl Arch {
        pub fn new() -> Self {
            static KNOWN: AtomicU8 = AtomicU8::new(0);
            match KNOWN.load(Ordering::Relaxed) {
                1 => Arch::Scalar(Scalar),
                2 => V3::try_new().map_or(Arch::Scalar(Scalar), Arch::V3),
                _ => {
                    let found = V3::try_new();
                    KNOWN.store(if found.is_some() { 2 } else { 1 }, Ordering::Relaxed);
                    found.map_or(Arch::Scalar(Scalar), Arch::V3)
                }
            }
        }
        pub fn dispatch<O: WithSimd>(self, op: O) -> O::Output {
            match self {
                Arch::Scalar(s) => op.with_simd(s),
                Arch::V3(s) => op.with_simd(s),
            }
        }
    }
    struct Multiply<'a> {
        rows: &'a [Vec<f32>],
        by: &'a [f32],
    }
    impl WithSimd for Multiply<'_> {
        type Output = Vec<f32>;
        fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
            self.rows.iter().map(|row| simd.dot(row, self.by)).collect()
        }
    }
    struct Count(Vec<u64>);
    impl WithSimd for Count {
        type Output = u64;
        fn with_simd<S: Simd>(self, simd: S) -> u64 {
            simd.ones(&self.0)
        }
    }
    pub fn run() {
        let rows: Vec<Vec<f32>> = (1..6).map(|i| floats(64, i)).collect();
        let by = floats(64, 9);
        let arch = Arch::new();
        println!("{:?} {}", arch.dispatch(Multiply { rows: &rows, by: &by }), Arch::new().dispatch(Count(words(20))));
    }
}

#[cfg(WORKER_THREADS)]
mod program {
    // Workers take boxed jobs from a channel and send their results.
    use super::*;
    type Job = Box<dyn FnOnce() -> (usize, u64) + Send>;
    struct Pool {
        jobs: Option<mpsc::Sender<Job>>,
        results: mpsc::Receiver<(usize, u64)>,
        threads: Vec<thread::JoinHandle<()>>,
    }
    impl Pool {
        fn new(n: usize) -> std::io::Result<Pool> {
            let (jobs, queue) = mpsc::channel::<Job>();
            let (done, results) = mpsc::channel();
            let queue = Arc::new(Mutex::new(queue));
            let mut threads = Vec::new();
            for i in 0..n {
                let (queue, done) = (Arc::clone(&queue), done.clone());
                threads.push(thread::Builder::new().name(format!("worker-{i}")).spawn(move || {
                    loop {
                        let job = match queue.lock() {
                            Ok(queue) => queue.recv(),
                            Err(_) => return,
                        };
                        let Ok(job) = job else { return };
                        if done.send(job()).is_err() {
                            return;
                        }
                    }
                })?);
            }
            Ok(Pool { jobs: Some(jobs), results, threads })
        }
        fn submit(&self, job: impl FnOnce() -> (usize, u64) + Send + 'static) {
            if let Some(jobs) = &self.jobs {
                let _ = jobs.send(Box::new(job));
            }
        }
        fn finish(mut self) -> BTreeMap<usize, u64> {
            self.jobs.take();
            let out = self.results.iter().collect();
            for thread in self.threads.drain(..) {
                let _ = thread.join();
            }
            out
        }
    }
    #[inline(never)]
    fn split(pool: &Pool, all: &[u64], size: usize) {
        let wide = is_x86_feature_detected!("avx2");
        let chunks = all.chunks_exact(size);
        let rest = chunks.remainder().to_vec();
        for (i, chunk) in chunks.enumerate() {
            let chunk = chunk.to_vec();
            // SAFETY: `wide` says that the CPU has AVX2.
            match wide {
                true => pool.submit(move || (i, unsafe { ones_avx2(&chunk) })),
                false => pool.submit(move || (i, ones_plain(&chunk))),
            }
        }
        if !rest.is_empty() {
            // SAFETY: none where the CPU lacks AVX2; that is what the wrong twin does.
            #[cfg(BAD)]
            pool.submit(move || (usize::MAX, if rest.len() >= 4 { unsafe { ones_avx2(&rest) } } else { ones_plain(&rest) }));
            // SAFETY: `wide` says that the CPU has AVX2.
            #[cfg(not(BAD))]
            pool.submit(move || (usize::MAX, if wide && rest.len() >= 4 { unsafe { ones_avx2(&rest) } } else { ones_plain(&rest) }));
        }
    }
    pub fn run() {
        let pool = match Pool::new(3) {
            Ok(pool) => pool,
            Err(error) => {
                eprintln!("no threads: {error}");
                std::process::exit(3);
            }
        };
        split(&pool, &words(250), 64);
        for (i, ones) in pool.finish() {
            println!("{i:x}: {ones}");
        }
    }
}

#[cfg(MARKERS)]
mod program {
    // Engines are generic over a marker of their level, and boxed behind a trait.
    use super::*;
    trait Level {
        const NAME: &'static str;
        fn supported() -> bool;
        fn dot(a: &[f32], b: &[f32]) -> f32;
    }
    struct Base;
    struct Fused;
    impl Level for Base {
        const NAME: &'static str = "base";
        fn supported() -> bool {
            true
        }
        fn dot(a: &[f32], b: &[f32]) -> f32 {
            dot_plain(a, b)
        }
    }
    impl Level for Fused {
        const NAME: &'static str = "fused";
        fn supported() -> bool {
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
        }
        fn dot(a: &[f32], b: &[f32]) -> f32 {
            // SAFETY: it is called where `supported` says so.
            unsafe { dot_fma(a, b) }
        }
    }
    trait Infer {
        fn layer(&mut self, input: &[f32]) -> Vec<f32>;
        fn describe(&self) -> String;
    }
    struct Engine<L: Level> {
        weights: Vec<Vec<f32>>,
        layers: usize,
        level: PhantomData<L>,
    }
    impl<L: Level> Engine<L> {
        fn new(weights: Vec<Vec<f32>>) -> Option<Self> {
            #[cfg(BAD)]
            debug_assert!(L::supported(), "{} on this CPU", L::NAME);
            #[cfg(not(BAD))]
            if !L::supported() {
                return None;
            }
            Some(Engine { weights, layers: 0, level: PhantomData })
        }
    }
    impl<L: Level> Infer for Engine<L> {
        fn layer(&mut self, input: &[f32]) -> Vec<f32> {
            self.layers += 1;
            self.weights.iter().map(|row| L::dot(row, input) % 17.0).collect()
        }
        fn describe(&self) -> String {
            format!("{} layers on {}", self.layers, L::NAME)
        }
    }
    fn engine(weights: Vec<Vec<f32>>) -> Option<Box<dyn Infer>> {
        if let Some(fused) = Engine::<Fused>::new(weights.clone()) {
            return Some(Box::new(fused));
        }
        Engine::<Base>::new(weights).map(|e| Box::new(e) as Box<dyn Infer>)
    }
    pub fn run() {
        let weights = (1..=16).map(|i| floats(16, i)).collect();
        let Some(mut engine) = engine(weights) else { std::process::exit(3) };
        let mut values = floats(16, 3);
        for _ in 0..3 {
            values = engine.layer(&values);
        }
        eprintln!("{}", engine.describe());
        println!("{values:?}");
    }
}

fn main() {
    program::run();
}
