//! Functions of the C library that a program has itself, since it is linked statically: by their
//! names they are carried out as those of another file are. What a function of such a name does is
//! what C and POSIX say, or the program's own that stands in for it does.

use crate::library::{Told, streams, thrown};
use crate::machine::{Machine, Stop};
use crate::state::State;
use karat_binary::numbers::NumberMap;
use karat_binary::read::image as file;
use karat_flow::program::Target;
use object::{Object, ObjectSymbol};

/// Functions that do nothing but what is known of them by their names, or that call nothing of the
/// program's and tell what nobody knows before.
const NAMES: &str = "
    malloc calloc realloc free posix_memalign aligned_alloc memalign valloc malloc_usable_size
    memcpy memmove mempcpy memset bzero memcmp bcmp memchr memrchr rawmemchr
    strlen strnlen strcmp strncmp strcasecmp strncasecmp strstr strchr strrchr strchrnul strcpy
    strncpy stpcpy strcat strncat strdup strtok strtok_r strspn strcspn strpbrk strerror strerror_r
    __xpg_strerror_r strsignal
    atoi atol strtol strtoul strtoll strtoull strtod strtof
    printf puts putchar putc fputs fputc fprintf vprintf vfprintf fwrite fflush perror setvbuf
    setbuf sprintf snprintf vsprintf vsnprintf fopen fopen64 fclose fread fgets fgetc getc getline
    getdelim fseek ftell rewind feof ferror fileno fdopen sscanf fscanf
    open open64 openat close read write readv writev lseek lseek64 fstat stat lstat fstat64 stat64
    fcntl dup dup2 pipe ioctl poll access readlink realpath getcwd unlink isatty
    opendir readdir closedir
    mmap mmap64 munmap mprotect madvise brk sbrk
    getenv secure_getenv setenv unsetenv putenv
    getpid gettid getppid getuid geteuid time clock clock_gettime gettimeofday nanosleep usleep
    sleep sched_yield sched_getaffinity sysconf getauxval getpagesize get_nprocs uname getrandom
    getentropy rand srand random srandom
    abort exit _exit _Exit atexit __cxa_atexit on_exit at_quick_exit
    signal sigaction sigaltstack sigemptyset sigaddset sigprocmask pthread_sigmask
    __sigsetjmp _setjmp sigsetjmp setjmp longjmp siglongjmp _longjmp
    qsort qsort_r bsearch lfind lsearch
    pthread_create pthread_join pthread_detach pthread_self pthread_once call_once thrd_create
    thrd_join pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock pthread_mutex_destroy
    pthread_rwlock_wrlock pthread_rwlock_rdlock pthread_rwlock_unlock pthread_attr_init
    pthread_attr_destroy pthread_attr_setstacksize pthread_attr_setguardsize
    pthread_attr_setdetachstate pthread_attr_getstack pthread_attr_getguardsize pthread_getattr_np
    pthread_setname_np pthread_cond_init pthread_cond_destroy pthread_cond_signal
    pthread_cond_broadcast pthread_condattr_init pthread_condattr_destroy pthread_condattr_setclock
    pthread_mutexattr_init pthread_mutexattr_destroy pthread_key_delete pthread_setspecific
    pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait pthread_exit
    pthread_mutex_trylock pthread_spin_init pthread_spin_lock pthread_spin_unlock
    pthread_spin_destroy pthread_barrier_init pthread_barrier_wait pthread_barrier_destroy
    sem_init sem_post sem_wait sem_trywait sem_timedwait sem_destroy clock_nanosleep
    thrd_yield thrd_sleep thrd_exit thrd_detach mtx_init mtx_lock mtx_unlock mtx_destroy cnd_init
    cnd_wait cnd_timedwait cnd_signal cnd_broadcast cnd_destroy
    __errno_location __cxa_guard_acquire __cxa_guard_release _Znwm _Znam _ZdlPv _ZdaPv _ZdlPvm
    _ZdaPvm __cxa_throw __cxa_rethrow __cxa_begin_catch __cxa_end_catch __cxa_get_exception_ptr
    __cxa_allocate_exception __cxa_free_exception _Unwind_Resume dlopen dlsym dlclose dlerror
";

/// What those of libstdc++ begin with: its streams, and threads.
const STREAMS: [&str; 12] = [
    "_ZNSo",
    "_ZStls",
    "_ZSt16__ostream_insert",
    "_ZNSt8ios_base4Init",
    "_ZSt4endl",
    "_ZNSt6thread15_M_start_thread",
    "_ZNSt6thread4join",
    "_ZNSt6thread6detach",
    "_ZNSt6thread20hardware_concurrency",
    "_ZNSt18condition_variable",
    "_ZNSt28__atomic_futex_unsigned_base",
    "_ZNSt15__exception_ptr13exception_ptr",
];
/// Others are gone through where they cannot be carried out.
const LIBRARY: [&str; 3] = ["_ZNSt", "_ZNKSt", "_ZSt"];

/// A function that a program has itself, and what is done where it is called.
#[derive(Clone, Copy)]
enum Called<'p> {
    /// As if it were another file's.
    Import(&'p str),
    /// It is carried out whole or not at all.
    Library(&'p str),
}

/// See [`Called`].
#[derive(Clone, Copy)]
pub(crate) struct Own<'p> {
    called: Called<'p>,
    /// It has a name that no program may give: it is the library's, whatever it comes to.
    is_reserved: bool,
}

/// Variables of the C library that a program may name too.
const VARIABLES: [&str; 8] = [
    "stdin",
    "stdout",
    "stderr",
    "environ",
    "__environ",
    "optind",
    "optarg",
    "optopt",
];

/// By where they begin: those of a program that has no functions of other files. What a source
/// keeps to itself may have any name.
pub(crate) fn of<'p>(file: &file::Image<'p>) -> NumberMap<u64, Own<'p>> {
    let mut all = NumberMap::default();
    let mut known: Vec<&str> = NAMES.split_whitespace().collect();
    known.sort_unstable();
    let begins = |name: &str, all: &[&str]| all.iter().any(|start| name.starts_with(start));
    let symbols = file.file.symbols();
    // `is_definition` is not true of those that a resolver picks.
    for symbol in symbols.filter(|symbol| !symbol.is_undefined() && !symbol.is_local()) {
        let called = match symbol.name() {
            Ok(name) if known.binary_search(&name).is_ok() => Called::Import(name),
            Ok(name) if begins(name, &STREAMS) => Called::Import(name),
            Ok(name) if thrown::throws(name) => Called::Import(name),
            Ok(name) if begins(name, &LIBRARY) => Called::Library(name),
            _ => continue,
        };
        let is_reserved = false;
        all.entry(symbol.address()).or_insert(Own {
            called,
            is_reserved,
        });
    }
    // Those that a source keeps to itself may be the library's too, as its resolvers are.
    for symbol in file.file.symbols().filter(|symbol| !symbol.is_undefined()) {
        if let (Ok(name), Some(own)) = (symbol.name(), all.get_mut(&symbol.address())) {
            // glibc's resolvers are named by what they pick for.
            let picks = matches!(own.called, Called::Import(known) if name.strip_suffix("_ifunc") == Some(known));
            own.is_reserved |= is_reserved(name) || picks;
        }
    }
    all
}

/// Whether only C's and C++'s own libraries may have a function of that name (C17, 7.1.3; C++17,
/// 20.5.4.2.1).
fn is_reserved(name: &str) -> bool {
    let in_std = ["_ZNSt", "_ZNKSt", "_ZSt", "_ZNSo"];
    let capital = |name: &str| name.as_bytes().get(1).is_some_and(u8::is_ascii_uppercase);
    match name.starts_with("_Z") {
        true => in_std.iter().any(|start| name.starts_with(start)),
        false => name.starts_with("__") || name.starts_with('_') && capital(name),
    }
}

/// What MinGW's library has of output, which it links into programs of Windows'.
const MINGW: [&str; 8] = [
    "__mingw_fprintf",
    "__mingw_printf",
    "__mingw_vfprintf",
    "__mingw_vprintf",
    "fprintf",
    "printf",
    "vfprintf",
    "vprintf",
];

/// The same of a program of Windows', which calls the rest of the C library by its imports.
pub(crate) fn of_windows<'p>(file: &file::Image<'p>) -> NumberMap<u64, Own<'p>> {
    let mut all = NumberMap::default();
    for symbol in file.file.symbols().filter(ObjectSymbol::is_definition) {
        if let Ok(name) = symbol.name()
            && MINGW.contains(&name)
        {
            all.entry(symbol.address()).or_insert(Own {
                called: Called::Import(name),
                is_reserved: false,
            });
        }
    }
    all
}

impl<'p> Machine<'p> {
    /// What is called at an address, as the state is: what writes to a stream of the program's own
    /// is code.
    pub fn called(&self, state: &State, to: u64) -> Target<'p> {
        match self.target(to) {
            Target::Import(name)
                if !self.own.is_empty()
                    && streams::writes(name)
                    && !self.is_open_stream(&self.given(state, 0)) =>
            {
                self.image.program.follow(to)
            }
            target => target,
        }
    }

    /// What is called at an address: code, or a function that is known by its name and does not
    /// lead to what is asked about.
    pub fn target(&self, to: u64) -> Target<'p> {
        if let Some(name) = self.image.name(to) {
            return Target::Import(name);
        }
        let target = self.image.program.follow(to);
        let Target::Address(address) = target else {
            return target;
        };
        if self.routines_of_auxiliary.contains(&address) {
            return Target::Import("getauxval");
        }
        match self.own_at(address) {
            Some(Called::Import(name)) => Target::Import(name),
            _ => target,
        }
    }

    /// One of the program's own that is known, and does not lead to what is asked about, or is the
    /// library's for certain.
    fn own_at(&self, address: u64) -> Option<Called<'p>> {
        let own = self.own.get(&address)?;
        if own.is_reserved {
            return Some(own.called);
        }
        let program = self.image.program;
        let matters = self.about.as_ref()?.matters(program, self.sweep);
        // One of the program's own, which only has such a name, may say by a variable what the
        // program does.
        let is_said = |at: u64| {
            let name = program.variable_name(at);
            program.is_written(at)
                && matters.is_shared(at)
                && !name.is_some_and(|name| VARIABLES.contains(&name))
        };
        let routine = program.routine_at(address)?;
        let is_other = matters.does(program, address) || matters.named(routine).any(is_said);
        (!is_other).then_some(own.called)
    }

    /// Whether the function at an address is libstdc++'s and was carried out.
    pub fn carries(&mut self, state: &mut State, address: u64) -> Result<bool, Stop> {
        let Some(Called::Library(name)) = self.own_at(address) else {
            return Ok(false);
        };
        let Some(Told(result, second)) = self.library(state, name)? else {
            return Ok(false);
        };
        self.after_call(state, result);
        if let Some(second) = second {
            state.registers[2] = second;
        }
        Ok(true)
    }
}
