//! What `cargo xtask layers` allows: which crate may depend on which, start processes, or
//! hold unsafe code, each with the reason.

/// What a crate of the lab may depend on, and why not on more.
pub const ARROWS: &[(&str, &[&str], &str)] = &[
    (
        "karat",
        &[
            "karat-run",
            "karat-audit",
            "karat-audit-files",
            "karat-binary",
            "karat-build",
            "karat-compare",
            "karat-emulate",
            "karat-host",
            "karat-process",
            "karat-readers",
            "karat-store",
            "karat-report",
            "karat-scan",
            "karat-soak",
            "karat-model",
            "karat-bench",
            "karat-all",
            "karat-kit",
            "karat-peers",
            "karat-cpu",
        ],
        "the command line wires the others together, the kernels that it lists, checks and \
         measures among them, and audits a binary without a study; judging is the runner's",
    ),
    (
        "karat-run",
        &[
            "karat-audit",
            "karat-audit-files",
            "karat-binary",
            "karat-build",
            "karat-compare",
            "karat-figures",
            "karat-host",
            "karat-judge",
            "karat-process",
            "karat-trace",
            "karat-verdict",
            "karat-model",
            "karat-cpu",
        ],
        "the runner knows neither store nor report: it emits events to sinks",
    ),
    (
        "karat-build",
        &[
            "karat-binary",
            "karat-host",
            "karat-judge",
            "karat-process",
            "karat-model",
            "karat-cpu",
        ],
        "a build makes binaries, whoever measures them",
    ),
    (
        "karat-process",
        &["karat-host"],
        "processes are started and accounted for, whatever they are for",
    ),
    (
        "karat-emulate",
        &["karat-audit", "karat-process", "karat-model"],
        "a command on an emulated CPU: what of it is judged is the audit's",
    ),
    (
        "karat-trace",
        &[],
        "which places of a file a command executes is the same whatever they are for",
    ),
    (
        "karat-bench",
        &[
            "karat-host",
            "karat-judge",
            "karat-process",
            "karat-verdict",
            "karat-model",
            "karat-kit",
            "karat-cpu",
        ],
        "a bench measures any suite; which ones there are is for the caller to say",
    ),
    (
        "karat-soak",
        &["karat-host", "karat-judge", "karat-process", "karat-model"],
        "a soak watches one program and judges what it saw; it knows no study, no store and no \
         report",
    ),
    (
        "karat-store",
        &["karat-model"],
        "the store keeps evidence, whoever made it",
    ),
    (
        "karat-report",
        &["karat-document", "karat-model", "karat-page"],
        "a report is made from what was found and from nothing else",
    ),
    (
        "karat-document",
        &["karat-model", "karat-page"],
        "a document is written in each format, whatever it tells of",
    ),
    (
        "karat-page",
        &[],
        "markup is escaped and shapes are drawn whatever they tell of",
    ),
    (
        "karat-audit",
        &[
            "karat-binary",
            "karat-flow",
            "karat-leaks",
            "karat-model",
            "karat-cpu",
        ],
        "an audit takes bytes and gives findings",
    ),
    (
        "karat-audit-files",
        &[
            "karat-audit",
            "karat-binary",
            "karat-host",
            "karat-leaks",
            "karat-package",
            "karat-model",
        ],
        "files and packages are read through the host; what is told of them is the audit's",
    ),
    (
        "karat-symbolic",
        &["karat-binary", "karat-flow"],
        "a program is followed by its bytes and what is known of its routines",
    ),
    (
        "karat-leaks",
        &[
            "karat-binary",
            "karat-flow",
            "karat-symbolic",
            "karat-model",
        ],
        "the search for leaks takes a program's bytes and what flows through it",
    ),
    (
        "karat-package",
        &[],
        "what is in a package is the same whatever it is read for",
    ),
    (
        "karat-binary",
        &[],
        "what is in a binary is the same whoever asks",
    ),
    (
        "karat-flow",
        &["karat-binary"],
        "what flows through a binary is followed whatever it is for: leaks, gates",
    ),
    (
        "karat-log",
        &["karat-model"],
        "what readers are made of knows no tool",
    ),
    (
        "karat-figures",
        &["karat-log", "karat-model"],
        "a reader takes what a tool printed and gives measurements, whoever asked",
    ),
    (
        "karat-readers",
        &["karat-figures", "karat-log", "karat-model"],
        "a log is read whatever is made of its events",
    ),
    (
        "karat-verdict",
        &["karat-judge", "karat-model"],
        "verdicts are made of samples, whoever measured them",
    ),
    (
        "karat-host",
        &["karat-judge", "karat-model", "karat-cpu"],
        "the host knows this machine and no study",
    ),
    (
        "karat-compare",
        &[
            "karat-judge",
            "karat-readers",
            "karat-verdict",
            "karat-model",
        ],
        "a comparison takes what readers found in two sides' logs",
    ),
    (
        "karat-scan",
        &["karat-model", "karat-cpu"],
        "a scan takes sources and gives findings",
    ),
    (
        "karat-model",
        &["karat-cpu"],
        "the nouns know nobody who uses them",
    ),
    ("karat-judge", &[], "the judge is pure arithmetic"),
    (
        "karat-mca",
        &["karat-all", "karat-kit", "karat-cpu"],
        "a tool for developers: it emulates the kernels and asks llvm-mca",
    ),
    (
        "karat-peers",
        &["karat-kit"],
        "peers are other people's crates; who measures them brings karat's own",
    ),
    (
        "karat-kit",
        &["karat-cpu"],
        "the kit knows no kernel; each crate of kernels says what it has",
    ),
    (
        "karat-hash-core",
        &[],
        "what the hashes share knows none of them",
    ),
    ("karat-blake2", HASH, "a hash is usable alone"),
    ("karat-blake3", HASH, "a hash is usable alone"),
    ("karat-keccak", HASH, "a hash is usable alone"),
    ("karat-sha2", HASH, "a hash is usable alone"),
    (
        "karat-mac",
        &[
            "karat-blake2",
            "karat-hash-core",
            "karat-keccak",
            "karat-sha2",
        ],
        "a MAC is usable with the hashes that it is made of, without the others",
    ),
    (
        "karat-hash",
        &[
            "karat-blake2",
            "karat-blake3",
            "karat-cpu",
            "karat-hash-core",
            "karat-keccak",
            "karat-kit",
            "karat-mac",
            "karat-sha2",
        ],
        "all hashes in one; a kernel library is usable without the lab",
    ),
    (
        "karat-nmt",
        &["karat-cpu", "karat-kit", "karat-hash", "karat-erasure"],
        "a Merkle tree needs hashes, a square a code; a kernel library is usable without the lab",
    ),
    (
        "karat-bigint",
        &["karat-cpu", "karat-kit"],
        "integers know nothing that is made of them",
    ),
    (
        "karat-vdf",
        &["karat-cpu", "karat-kit", "karat-bigint", "karat-sha2"],
        "class groups need integers, discriminants and challenges SHA-256; a kernel library \
         is usable without the lab",
    ),
    (
        "karat-alloc",
        &[],
        "an allocator stands on nothing that could allocate",
    ),
    (
        "karat-alloc-preload",
        &["karat-alloc"],
        "the allocator under other names",
    ),
    ("karat-cpu", &[], "everybody stands on it"),
    (
        "karat-dyn",
        &["karat-hash"],
        "hashes by name are what the bindings share; they are usable without the lab",
    ),
    (
        "karat-c",
        &[
            "karat-dyn",
            "karat-erasure",
            "karat-hash",
            "karat-nmt",
            "karat-vdf",
        ],
        "a binding hands on the kernels",
    ),
    (
        "karat-python",
        &[
            "karat-audit",
            "karat-audit-files",
            "karat-bench",
            "karat-bigint",
            "karat-compare",
            "karat-dyn",
            "karat-erasure",
            "karat-hash",
            "karat-model",
            "karat-nmt",
            "karat-vdf",
        ],
        "a binding hands on the kernels and, by its feature, the lab's libraries",
    ),
    (
        "xtask",
        &["karat-model", "karat-cpu"],
        "the tasks need the evidence's types for its schema",
    ),
];

/// What the crate of one hash may use.
pub const HASH: &[&str] = &["karat-cpu", "karat-hash-core"];

/// The crate that lists the crates of kernels: it may depend on all of them.
pub const LIST: &str = "karat-all";

/// The rule of every other crate in `kernels/`.
pub const KERNEL: (&[&str], &str) = (
    &["karat-cpu", "karat-kit"],
    "a kernel library is usable without the lab",
);

/// Crates without any dependency, and why.
pub const BARE: &[(&str, &str)] = &[
    (
        "karat-cpu",
        "every kernel library pays for what it pulls in",
    ),
    (
        "karat-judge",
        "its arithmetic must be readable in one place",
    ),
];

/// Who may start processes.
pub const PROCESSES: &[(&str, &str)] = &[
    ("karat-process", "everybody else hands it commands"),
    ("karat-mca", "it calls llvm-mca and rustc"),
    (
        "karat-trace",
        "what it traces must not run before it is traced",
    ),
    ("xtask", "it calls cargo, git and a browser"),
];

/// Who may hold unsafe code, beside the crates in `kernels/`.
pub const UNSAFE: &[(&str, &str)] = &[
    (
        "karat-host",
        "mapped files, and the additions by which clock and width are read",
    ),
    ("karat-process", "system calls that std lacks"),
    ("karat-trace", "ptrace and what belongs to it"),
    ("karat-c", "C hands over pointers"),
    (
        "karat-python",
        "buffers of Python objects are read where they are",
    ),
];
