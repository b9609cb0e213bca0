//! Builds by any command: `make`, a script, a compiler.

use super::cache::{Artifact, Job, Key, find, make};
use super::{BuildError, Built, Context, toolchain};
use karat_model::study::Command as Builder;
use karat_process::{Command, quote};

/// Builds in a copy of the folder, one copy for each variant: the variants of
/// one `Makefile` overwrite each other's results.
pub(super) fn build(
    variant: &str,
    builder: &Builder,
    context: &Context<'_>,
) -> Result<Built, BuildError> {
    let dir = context.study_dir.join(&builder.dir.value);
    let io = |path: &std::path::Path, source| BuildError::Io {
        variant: variant.to_owned(),
        path: path.to_owned(),
        source,
    };
    let mut settings = Key::new();
    settings.add("builder", b"command");
    for word in &builder.command {
        settings.add("word", word.as_bytes());
    }
    for (name, value) in &builder.env {
        settings.add(name, value.as_bytes());
    }
    settings.add("artifact", builder.artifact.as_os_str().as_encoded_bytes());
    settings.add(
        "dir",
        std::path::absolute(&dir)
            .map_err(|e| io(&dir, e))?
            .as_os_str()
            .as_encoded_bytes(),
    );
    let stage = context.cache.join("stage").join(settings.finish());

    toolchain::add(&mut settings, false, &dir, context.interrupt);
    settings
        .add_tree("sources", &dir, context.not_sources)
        .map_err(|e| io(&dir, e))?;
    let key = settings.finish();
    let bin = builder
        .artifact
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    if let Some(built) = find(context.cache, &key, &bin) {
        return Ok(built);
    }

    crate::files::mirror(&dir, &stage, context.not_sources).map_err(|e| io(&stage, e))?;
    let stage = std::path::absolute(&stage).map_err(|e| io(&stage, e))?;
    let mut command = Command::new(&builder.command[0]);
    command
        .args(&builder.command[1..])
        .current_dir(&stage)
        .envs(&builder.env);
    let words: Vec<String> = builder.command.iter().map(|w| quote(w)).collect();
    let env: String = builder
        .env
        .iter()
        .map(|(k, v)| format!("{k}={} ", quote(v)))
        .collect();
    make(Job {
        variant,
        cache: context.cache,
        key,
        bin: &bin,
        command,
        shown: format!("{env}{}", words.join(" ")),
        artifact: Artifact::At(stage.join(&builder.artifact)),
        accept: &|| Ok(()),
        karat: context.wrapper,
        links: stage.with_extension("links"),
        interrupt: context.interrupt,
    })
}
