//! Functions of the C library that a program has itself, since it is linked statically: by their
//! names they are carried out as those of another file are. What a function of such a name does is
//! what C and POSIX say, or the program's own that stands in for it does.

use crate::library::Told;
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
    __errno_location __cxa_guard_acquire __cxa_guard_release _Znwm _Znam _ZdlPv _ZdaPv _ZdlPvm
    _ZdaPvm
";

/// What those of libstdc++ begin with: its streams, and threads.
const STREAMS: [&str; 6] = [
    "_ZNSo",
    "_ZStls",
    "_ZSt16__ostream_insert",
    "_ZNSt8ios_base",
    "_ZSt4endl",
    "_ZNSt6thread15_M_start_thread",
];
/// Others are gone through where they cannot be carried out.
const LIBRARY: [&str; 3] = ["_ZNSt", "_ZNKSt", "_ZSt"];

/// A function that a program has itself, and what is done where it is called.
#[derive(Clone, Copy)]
pub(crate) enum Own<'p> {
    /// As if it were another file's.
    Import(&'p str),
    /// It is carried out whole or not at all.
    Library(&'p str),
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
    for symbol in symbols.filter(|symbol| symbol.is_definition() && !symbol.is_local()) {
        let own = match symbol.name() {
            Ok(name) if known.binary_search(&name).is_ok() => Own::Import(name),
            Ok(name) if begins(name, &STREAMS) => Own::Import(name),
            Ok(name) if begins(name, &LIBRARY) => Own::Library(name),
            _ => continue,
        };
        all.entry(symbol.address()).or_insert(own);
    }
    all
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
            all.entry(symbol.address()).or_insert(Own::Import(name));
        }
    }
    all
}

impl<'p> Machine<'p> {
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
        match self.own_at(address) {
            Some(Own::Import(name)) => Target::Import(name),
            _ => target,
        }
    }

    /// One of the program's own that is known, and does not lead to what is asked about.
    fn own_at(&self, address: u64) -> Option<Own<'p>> {
        let own = self.own.get(&address)?;
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
        (!is_other).then_some(*own)
    }

    /// Whether the function at an address is libstdc++'s and was carried out.
    pub fn carries(&mut self, state: &mut State, address: u64) -> Result<bool, Stop> {
        let Some(Own::Library(name)) = self.own_at(address) else {
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
