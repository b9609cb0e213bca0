//! What an interpreter calls of a library that it loads as a module: nobody asks the CPU
//! before that.

use super::names::is_for_extension;
use super::program::{Entry, Program, Word};

/// What interpreters look up in a module, each by the start of its name. CPython, "Extending
/// and embedding", 1.4; Java, "JNI specification", 5; Node-API; Lua 5.4, 6.3; Ruby,
/// `extension.rdoc`; R, "Writing R extensions", 5.4.
const STARTS: [&str; 6] = [
    PYTHON,
    "JNI_OnLoad",
    "napi_register_module_v",
    "luaopen_",
    "Init_",
    "R_init_",
];
const PYTHON: &str = "PyInit_";

/// Where `m_slots` is in a `PyModuleDef`, behind `m_base`, `m_name`, `m_doc`, `m_size` and
/// `m_methods` (CPython, `Include/moduleobject.h`; not in builds without the global lock).
const SLOTS: u64 = 72;
/// `Py_mod_create` and `Py_mod_exec`.
const CALLED: [u32; 2] = [1, 2];
/// Slots that are read, at most. CPython has five kinds.
const MOST: u64 = 16;

/// How execution comes in where a function is exported by this name. Whoever loads a module
/// that is named after an extension has asked for it.
pub(crate) fn exported(name: &[u8]) -> Entry {
    let name = std::str::from_utf8(name).unwrap_or("");
    let is_module = STARTS.iter().any(|start| name.starts_with(start));
    match is_module && !is_for_extension(name) {
        true => Entry::Module,
        false => Entry::Exported,
    }
}

impl Program<'_> {
    /// Enters what CPython calls of a module that tells it by slots ("multi-phase
    /// initialisation", PEP 489).
    pub fn enter_slots(&mut self) {
        let modules = self.entries.iter();
        let modules = modules.filter(|(_, entry)| **entry == Entry::Module);
        let modules: Vec<u32> = modules
            .filter_map(|(at, _)| self.routine_at(*at))
            .filter(|routine| {
                let names = &self.routines[*routine as usize].names;
                names.iter().any(|name| name.starts_with(PYTHON))
            })
            .collect();
        let mut called = Vec::new();
        for routine in modules {
            let named = self.instructions(routine);
            let named = named.filter(|instruction| instruction.is_ip_rel_memory_operand());
            for instruction in named {
                called.extend(self.slots(instruction.ip_rel_memory_address()));
            }
        }
        for to in called {
            self.enter(to, Entry::Module);
        }
    }

    /// What is called of a module with this definition; nothing if it is none.
    fn slots(&self, definition: u64) -> Vec<u64> {
        let mut out = Vec::new();
        let at = definition.checked_add(SLOTS);
        let Some(Word::Address(first)) = at.and_then(|at| self.words.get(at)) else {
            return out;
        };
        for number in 0..MOST {
            let Some(slot) = first.checked_add(number * 16) else {
                break;
            };
            let kind = self.stored(slot).map(|kind| kind as u32);
            let Some(kind) = kind.filter(|kind| *kind != 0) else {
                break;
            };
            if let (true, Some(Word::Address(to))) = (
                CALLED.contains(&kind),
                self.words.get(slot.saturating_add(8)),
            ) {
                out.push(to);
            }
        }
        out
    }
}
