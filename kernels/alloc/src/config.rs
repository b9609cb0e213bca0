//! The switches: what they are, who set them, and how to set them back.

use crate::path;
use crate::print::message;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// Bytes that a magazine of a class has room for.
pub const MAGAZINE_MOST: usize = 64 * 1024;

/// How speed and memory are weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Large magazines; memory is used again and never given back.
    Speed,
    /// Small magazines; what stays free goes back to the kernel.
    Balanced,
}

/// Who set a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nobody.
    Default,
    /// The profile.
    Profile,
    /// A variable of the environment.
    Environment,
    /// The program, by a function of this crate.
    Program,
}

impl Source {
    /// Its name in statistics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Profile => "profile",
            Self::Environment => "environment",
            Self::Program => "program",
        }
    }
}

pub struct Switch {
    /// What comes behind `KARAT_ALLOC_` in the environment.
    pub name: &'static str,
    value: AtomicUsize,
    source: AtomicU8,
    /// The names of its values, if they are no numbers.
    words: &'static [&'static str],
    most: usize,
}

impl Switch {
    const fn new(name: &'static str, value: usize, most: usize) -> Self {
        Self {
            name,
            value: AtomicUsize::new(value),
            source: AtomicU8::new(Source::Default as u8),
            words: &[],
            most,
        }
    }

    const fn of_words(name: &'static str, words: &'static [&'static str]) -> Self {
        Self {
            words,
            ..Self::new(name, 0, words.len() - 1)
        }
    }

    pub fn get(&self) -> usize {
        self.value.load(Ordering::Relaxed)
    }

    pub fn source(&self) -> Source {
        match self.source.load(Ordering::Relaxed) {
            0 => Source::Default,
            1 => Source::Profile,
            2 => Source::Environment,
            _ => Source::Program,
        }
    }

    /// The value's name, for a switch whose values have names.
    pub fn word(&self) -> Option<&'static str> {
        self.words.get(self.get()).copied()
    }

    fn set(&self, value: usize, source: Source) {
        self.value.store(value, Ordering::Relaxed);
        self.source.store(source as u8, Ordering::Relaxed);
    }

    fn read(&self, text: &[u8]) {
        let value = match self.words.iter().position(|word| word.as_bytes() == text) {
            Some(index) => Some(index),
            None => number(text).filter(|&n| n <= self.most),
        };
        let text = core::str::from_utf8(text).unwrap_or("(no text)");
        match value {
            Some(value) => self.set(value, Source::Environment),
            None if self.words.is_empty() => message(format_args!(
                "KARAT_ALLOC_{}={text} is not a number up to {}; it stays {}",
                self.name,
                self.most,
                self.get()
            )),
            None => message(format_args!(
                "KARAT_ALLOC_{}={text} is none of {:?}; it stays {:?}",
                self.name,
                self.words,
                self.words[self.get()]
            )),
        }
    }
}

fn number(text: &[u8]) -> Option<usize> {
    core::str::from_utf8(text).ok()?.parse().ok()
}

pub static PROFILE: Switch = Switch::of_words("PROFILE", &["speed", "balanced"]);
static MAGAZINE: Switch = Switch::new("MAGAZINE_BYTES", SPEED.0, MAGAZINE_MOST);
static DECAY: Switch = Switch::new("DECAY_OPS", SPEED.1, 1 << 40);
static DEBUG: Switch = Switch::new("DEBUG", 0, 3);
static HARDENED: Switch = Switch::new("HARDENED", 0, 1);
static SAMPLE_BYTES: Switch = Switch::new("SAMPLE_BYTES", 512 * 1024, 1 << 40);
pub static STATS: Switch = Switch::of_words("STATS", &["0", "1", "json"]);

/// All of them, the profile first: others overrule it.
pub static SWITCHES: [&Switch; 7] = [
    &PROFILE,
    &MAGAZINE,
    &DECAY,
    &DEBUG,
    &HARDENED,
    &STATS,
    &SAMPLE_BYTES,
];

/// The one switch that is a path: see `path.rs`.
pub const HEAP_PROFILE: &str = "HEAP_PROFILE";

/// Bytes a magazine, objects until free memory is given back (0: never), by profile.
const SPEED: (usize, usize) = (MAGAZINE_MOST, 0);
const BALANCED: (usize, usize) = (48 * 1024, 16 * 1024);
/// Objects until empty slabs are looked for, where nothing is given back.
const TICK: usize = 64 * 1024;

static CHANGES: AtomicU64 = AtomicU64::new(0);
static CHECKED: AtomicBool = AtomicBool::new(false);
static PROFILED: AtomicBool = AtomicBool::new(false);

pub fn magazine_bytes() -> usize {
    MAGAZINE.get()
}

pub fn decay() -> usize {
    DECAY.get()
}

pub fn tick() -> usize {
    match decay() {
        0 => TICK,
        decay => decay,
    }
}

pub fn debug() -> usize {
    DEBUG.get()
}

pub fn hardened() -> bool {
    HARDENED.get() == 1
}

/// Whether all calls take the slow way. Decided at the start: blocks of a program with
/// checks look otherwise than those of one without.
pub fn checked() -> bool {
    CHECKED.load(Ordering::Relaxed)
}

/// Whether some objects are sampled for the heap profile. Decided at the start, too: all
/// calls take the slow way then, which counts bytes.
pub fn profiled() -> bool {
    PROFILED.load(Ordering::Relaxed)
}

/// How many bytes lie between two samples, in the mean.
pub fn sample_bytes() -> usize {
    SAMPLE_BYTES.get().max(1)
}

/// Rises when a switch of the magazines changes.
pub fn changes() -> u64 {
    CHANGES.load(Ordering::Relaxed)
}

/// Chooses a profile. Threads follow as they next refill a magazine. Switches that the
/// environment set by themselves stay.
pub fn set_profile(profile: Profile) {
    choose(profile, Source::Program);
}

fn choose(profile: Profile, source: Source) {
    PROFILE.set(profile as usize, source);
    let (magazine, decay) = match profile {
        Profile::Speed => SPEED,
        Profile::Balanced => BALANCED,
    };
    for (switch, value) in [(&MAGAZINE, magazine), (&DECAY, decay)] {
        if matches!(switch.source(), Source::Default | Source::Profile) {
            switch.set(value, Source::Profile);
        }
    }
    changed();
}

/// Something changed that the magazines must know of.
pub fn changed() {
    CHANGES.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" {
    static environ: *const *const libc::c_char;
}

/// Reads the environment. Called once, before the first heap.
pub fn read_environment() {
    // SAFETY: reads the auxiliary vector.
    if unsafe { libc::getauxval(libc::AT_SECURE) } != 0 {
        return;
    }
    // SAFETY: nobody changes the environment before the first allocation.
    unsafe {
        let mut at = environ;
        while !at.is_null() && !(*at).is_null() {
            let entry = core::ffi::CStr::from_ptr(*at).to_bytes();
            if let Some(rest) = entry.strip_prefix(b"KARAT_ALLOC_") {
                read_entry(rest);
            }
            at = at.add(1);
        }
    }
    if PROFILE.source() == Source::Environment {
        let profile = [Profile::Speed, Profile::Balanced][PROFILE.get()];
        choose(profile, Source::Environment);
    }
    CHECKED.store(debug() > 0 || hardened(), Ordering::Relaxed);
}

fn read_entry(entry: &[u8]) {
    let Some(equals) = entry.iter().position(|&byte| byte == b'=') else {
        return;
    };
    let (name, value) = (&entry[..equals], &entry[equals + 1..]);
    if name == HEAP_PROFILE.as_bytes() {
        PROFILED.store(path::set(value), Ordering::Relaxed);
        return;
    }
    match SWITCHES.iter().find(|s| s.name.as_bytes() == name) {
        Some(switch) => switch.read(value),
        None => message(format_args!(
            "KARAT_ALLOC_{} is no switch; see docs/alloc.md for those there are",
            core::str::from_utf8(name).unwrap_or("?")
        )),
    }
}
