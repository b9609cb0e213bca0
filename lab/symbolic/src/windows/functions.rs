//! What functions of the system do that programs call (Microsoft, "Windows API").

use super::{NAME, OWN, WIDE_NAME, WORDS};
use crate::bits::{Kind, ONE, Word, ZERO};
use crate::facts::Facts;
use crate::library::Told;
use crate::library::texts::TEXT;
use crate::machine::{End, Machine, Stop};
use crate::memory::ENVIRONMENT;
use crate::state::State;
use karat_flow::facts::systems::processor_feature;

/// Functions whose result is one where nothing is wrong, and zero, that store nothing.
const ONE_TOLD: &str = "
    InitializeCriticalSectionAndSpinCount InitializeCriticalSectionEx TryEnterCriticalSection
    HeapFree VirtualFree CloseHandle SetEvent ResetEvent ReleaseMutex ReleaseSemaphore
    FlushFileBuffers SetConsoleCtrlHandler TlsFree FlsFree SetConsoleOutputCP SetConsoleCP
    FreeLibrary
";
const ZERO_TOLD: &str = "
    InitializeCriticalSection EnterCriticalSection LeaveCriticalSection DeleteCriticalSection
    InitializeSListHead InitializeSRWLock AcquireSRWLockExclusive AcquireSRWLockShared
    ReleaseSRWLockExclusive ReleaseSRWLockShared InitializeConditionVariable
    WakeConditionVariable WakeAllConditionVariable Sleep SwitchToThread SetLastError
    IsDebuggerPresent LocalFree GlobalFree WaitForSingleObject WaitForSingleObjectEx
    OutputDebugStringA OutputDebugStringW SetThreadDescription _aligned_free
";
/// Functions that tell a handle.
const HANDLES: &str = "
    CreateEventA CreateEventW CreateMutexA CreateMutexW CreateSemaphoreA CreateSemaphoreW
    GetProcessHeap GetStdHandle
";
const HANDLE: u64 = 0x40;
/// Functions that tell what time or which thread it is: anything.
const TOLD: &str = "
    GetCurrentThreadId GetCurrentProcessId GetTickCount GetTickCount64 timeGetTime GetLastError
";
/// The same, stored behind the first argument.
const STORED: &str = "
    GetSystemTimeAsFileTime GetSystemTimePreciseAsFileTime QueryPerformanceCounter
    QueryPerformanceFrequency
";
/// Functions that end the program.
const ENDS: &str = "_amsg_exit TerminateProcess FatalExit FatalAppExitA __fastfail _Exit";
/// Numbers of `IsProcessorFeaturePresent` that are true of all x86-64 CPUs, and of none.
const ALWAYS: [u64; 7] = [2, 3, 8, 9, 12, 20, 23];
const NEVER: [u64; 5] = [0, 1, 4, 5, 7];
/// A number that stands for the first of them beside those of compilers.
const NUMBERED: u64 = 1 << 32;
/// Words of their own that threads have, at most.
const MOST: u64 = 64;
/// HEAP_ZERO_MEMORY, LMEM_ZEROINIT, and bytes that are cleared at most.
const CLEARED: u64 = 0x8;
const LOCAL_CLEARED: u64 = 0x40;
const CLEARED_MOST: u64 = 1 << 16;
/// Bytes of `STARTUPINFO`, and of `MEMORY_BASIC_INFORMATION`.
const STARTUP: u64 = 104;
const REGION: u64 = 48;
const PAGE: u64 = 4096;
/// PAGE_READWRITE
const WRITTEN: u64 = 4;

fn is_in(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

/// The name by which a function of C is known here.
pub(crate) fn alias(name: &str) -> &str {
    match name {
        "_strdup" => "strdup",
        "_stricmp" | "_strcmpi" => "strcasecmp",
        "_strnicmp" => "strncasecmp",
        "_write" => "write",
        "_errno" => "__errno_location",
        "_getpid" => "getpid",
        "_isatty" => "isatty",
        "_fileno" => "fileno",
        "__mingw_printf" => "printf",
        "__mingw_vprintf" => "vprintf",
        "__mingw_fprintf" => "fprintf",
        "__mingw_vfprintf" => "vfprintf",
        other => other,
    }
}

impl<'p> Machine<'p> {
    /// Carries out a function that is known; none if it is not.
    pub fn windows_call(&mut self, state: &mut State, name: &str) -> Result<Option<Told>, Stop> {
        if self.windows.is_none() {
            return Ok(None);
        }
        if let Some(told) = self.windows_start(state, name)? {
            return Ok(Some(told));
        }
        let number = |machine: &Self, state: &State, at| machine.given(state, at).number();
        let any = match self.is_begun(state) {
            true => Word::Unknown(31, Kind::Input),
            false => Word::Known(0x1234),
        };
        Ok(Some(match name {
            _ if is_in(ONE_TOLD, name) => 1.into(),
            _ if is_in(ZERO_TOLD, name) => 0.into(),
            _ if is_in(HANDLES, name) => HANDLE.into(),
            _ if is_in(ENDS, name) => return Err(Stop::End(End::Left)),
            _ if is_in(TOLD, name) => Told(Some(any), None),
            _ if is_in(STORED, name) => {
                let to = number(self, state, 0)?.ok_or(Kind::Opaque);
                self.store(state, to, &any, 8);
                1.into()
            }
            // What is thrown may be caught.
            "RaiseException" => return Err(Stop::End(End::Lost)),
            "IsProcessorFeaturePresent" => {
                let number = number(self, state, 0)?;
                Told(Some(self.has_processor_feature(state, number)), None)
            }
            // The C library's own comes first, before `main`.
            "SetUnhandledExceptionFilter" => {
                state.catches |= self.is_begun(state) && number(self, state, 0)? != Some(0);
                0.into()
            }
            "AddVectoredExceptionHandler" | "RtlAddVectoredExceptionHandler" => {
                state.catches = true;
                state.handler = None;
                HANDLE.into()
            }
            "GetCurrentProcess" => u64::MAX.into(),
            "GetCurrentThread" => (u64::MAX - 1).into(),
            "GetStartupInfoA" | "GetStartupInfoW" => {
                self.filled_with_zeros(state, 0, STARTUP)?;
                0.into()
            }
            "GetCommandLineA" if !self.is_begun(state) => NAME.into(),
            "GetCommandLineW" if !self.is_begun(state) => WIDE_NAME.into(),
            "GetModuleHandleA" | "GetModuleHandleW" if number(self, state, 0)? == Some(0) => {
                self.image.program.image_base.into()
            }
            "EncodePointer" | "DecodePointer" => Told(Some(self.given(state, 0)), None),
            "VirtualProtect" => {
                let to = number(self, state, 3)?.ok_or(Kind::Opaque);
                self.store(state, to, &Word::Known(WRITTEN), 4);
                1.into()
            }
            "VirtualQuery" => {
                let at = self.given(state, 0).and(&Word::Known(!(PAGE - 1)))?;
                self.filled_with_zeros(state, 1, REGION)?;
                if let Some(to) = number(self, state, 1)? {
                    state.memory.write(to, &at, 8);
                    state.memory.write(to + 24, &Word::Known(PAGE), 8);
                    state.memory.write(to + 36, &Word::Known(WRITTEN), 4);
                }
                REGION.into()
            }
            "HeapAlloc" | "LocalAlloc" | "GlobalAlloc" => {
                let (flags, size, bit) = match name {
                    "HeapAlloc" => (1, 2, CLEARED),
                    _ => (0, 1, LOCAL_CLEARED),
                };
                let is_cleared = number(self, state, flags)?.is_none_or(|known| known & bit != 0);
                let size = number(self, state, size)?.unwrap_or(TEXT);
                let at = state.memory.allocate(size);
                if is_cleared {
                    for word in 0..size.min(CLEARED_MOST).div_ceil(8) {
                        state.memory.write(at + word * 8, &Word::ZERO, 8);
                    }
                }
                at.into()
            }
            "_aligned_malloc" => {
                let size = number(self, state, 0)?.unwrap_or(TEXT);
                state.memory.allocate(size).into()
            }
            "VirtualAlloc" => {
                let size = number(self, state, 1)?;
                Told(size.and_then(|size| self.mapped(state, size)), None)
            }
            "TlsAlloc" | "FlsAlloc" => {
                let count = self.load(state, Ok(WORDS), 8).number()?;
                let Some(count) = count.filter(|count| *count < MOST) else {
                    return Ok(Some(Told(None, None)));
                };
                state.memory.write(WORDS, &Word::Known(count + 1), 8);
                state.memory.write(OWN + count * 8, &Word::ZERO, 8);
                count.into()
            }
            "TlsGetValue" | "FlsGetValue" | "TlsSetValue" | "FlsSetValue" => {
                let at = self.given(state, 0).low(4).number()?;
                let at = at.filter(|at| *at < MOST).map(|at| OWN + at * 8);
                match name.contains("Get") {
                    true => Told(Some(self.load(state, at.ok_or(Kind::Opaque), 8)), None),
                    false => {
                        let value = self.given(state, 1);
                        self.store(state, at.ok_or(Kind::Opaque), &value, 8);
                        1.into()
                    }
                }
            }
            "GetEnvironmentVariableA" => {
                self.found.asks_environment = true;
                let bit = match self.text(state, &self.given(state, 0), TEXT)? {
                    _ if self.is_plain => ZERO,
                    Ok(name) => self.symbols.variable(name),
                    Err(_) => Kind::Environment.bit(),
                };
                let bit = state.truth(&self.symbols, bit).unwrap_or(bit);
                match self.is_set(state, bit)? {
                    true => {
                        let size = number(self, state, 2)?.unwrap_or(0).min(TEXT);
                        if let Some(to) = number(self, state, 1)? {
                            state.memory.copy(&self.image, to, ENVIRONMENT, size);
                        }
                        Told(Some(Word::Unknown(31, Kind::Environment)), None)
                    }
                    false => 0.into(),
                }
            }
            _ => return Ok(None),
        }))
    }

    /// Zeros behind an argument.
    fn filled_with_zeros(&self, state: &mut State, argument: usize, size: u64) -> Result<(), Stop> {
        match self.given(state, argument).number()? {
            Some(to) => {
                for word in 0..size / 8 {
                    state
                        .memory
                        .write(to.wrapping_add(word * 8), &Word::ZERO, 8);
                }
            }
            None => state.is_unsure = true,
        }
        Ok(())
    }

    /// Whether the CPU has a feature by the system's number, and the system saves its registers.
    fn has_processor_feature(&mut self, state: &State, number: Option<u64>) -> Word {
        self.found.asked(state.at);
        let Some(number) = number.map(|number| u64::from(number as u32)) else {
            return Word::Unknown(1, Kind::Opaque);
        };
        let bit = match processor_feature(number) {
            Some(feature) => self
                .symbols
                .usable(NUMBERED + number, Facts::named(feature)),
            None if ALWAYS.contains(&number) => ONE,
            None if NEVER.contains(&number) => ZERO,
            None => Kind::Model.bit(),
        };
        let mut bits = [ZERO; 64];
        bits[0] = bit;
        Word::from_bits(bits)
    }
}
