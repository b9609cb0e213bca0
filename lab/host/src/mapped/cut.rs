//! What happens when a file is made shorter while it is mapped: the kernel raises SIGBUS
//! where a page is touched that the file does not have any more (mmap(2)). A page of zeros
//! takes its place, and that is noted.

use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Mappings at a time.
const PLACES: usize = 64;
/// The start of a place that is taken and not filled yet. No mapping begins there.
const TAKEN: usize = 1;

/// A mapping: no start where there is none.
struct Place {
    start: AtomicUsize,
    end: AtomicUsize,
    is_cut: AtomicBool,
}

static ALL: [Place; PLACES] = [const {
    Place {
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        is_cut: AtomicBool::new(false),
    }
}; PLACES];

/// The bytes of a page, and what was done about SIGBUS before.
static BEFORE: OnceLock<Option<(usize, libc::sigaction)>> = OnceLock::new();

/// A place in the list of mappings.
#[derive(Debug)]
pub(super) struct Watched(usize);

impl Watched {
    /// A place for a mapping; none where there is no more room, or no handler.
    pub fn new() -> Option<Self> {
        BEFORE.get_or_init(install).as_ref()?;
        let is_free = |place: &Place| {
            let order = Ordering::SeqCst;
            (place.start.compare_exchange(0, TAKEN, order, order)).is_ok()
        };
        ALL.iter().position(is_free).map(Self)
    }

    /// Watches a mapping until this is dropped.
    pub fn watch(&self, bytes: &[u8]) {
        let place = &ALL[self.0];
        let start = bytes.as_ptr() as usize;
        place.is_cut.store(false, Ordering::SeqCst);
        place.end.store(start + bytes.len(), Ordering::SeqCst);
        place.start.store(start, Ordering::SeqCst);
    }

    /// Whether a page of it was touched that the file did not have.
    pub fn is_cut(&self) -> bool {
        ALL[self.0].is_cut.load(Ordering::SeqCst)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        ALL[self.0].start.store(0, Ordering::SeqCst);
    }
}

/// Installs the handler; none if the system does not let it.
fn install() -> Option<(usize, libc::sigaction)> {
    // SAFETY: sysconf(3) reads nothing of ours.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    // SAFETY: of a `sigaction` all zeros are valid: no flags, no mask, the default.
    let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    let mut ours: libc::sigaction = unsafe { std::mem::zeroed() };
    let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = handle;
    ours.sa_sigaction = handler as usize;
    // On the stack that Rust's run-time gives each thread for signals.
    ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: both are valid for the call. The handler does only what signal-safety(7)
    // allows, and mmap, which is one system call.
    let done = unsafe { libc::sigaction(libc::SIGBUS, &raw const ours, &raw mut before) };
    (done == 0).then_some((page, before))
}

extern "C" fn handle(_: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel gives a valid one to handlers with SA_SIGINFO; of SIGBUS it has an
    // address.
    let address = unsafe { (*info).si_addr() } as usize;
    // Before it is set no place is filled either.
    let Some(Some((page, before))) = BEFORE.get() else {
        return;
    };
    let has = |place: &&Place| {
        let start = place.start.load(Ordering::SeqCst);
        start > TAKEN && (start..place.end.load(Ordering::SeqCst)).contains(&address)
    };
    if let Some(place) = ALL.iter().find(has) {
        let at = address & !(page - 1);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        // SAFETY: the page is in a mapping of ours that only holds a file's bytes, which may
        // be any; it is read-only before and after, and unmapped with the rest.
        let new = unsafe { libc::mmap(at as *mut _, *page, libc::PROT_READ, flags, -1, 0) };
        if new != libc::MAP_FAILED {
            place.is_cut.store(true, Ordering::SeqCst);
            return;
        }
    }
    // Not ours: what would have happened without this handler happens at the next try.
    // SAFETY: it is what the system gave us.
    unsafe { libc::sigaction(libc::SIGBUS, before, null_mut()) };
}
