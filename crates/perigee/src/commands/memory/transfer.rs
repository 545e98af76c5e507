use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use client::{Client, with_query};
use protocol::MemoryImportReply;
use terminal::{StatusLine, bytes, clean_line, count, print_line};

use crate::commands::print_json;

/// Writes the memory to a file or to standard output.
pub async fn export(client: &Client, target: &Path, markdown: bool) -> anyhow::Result<ExitCode> {
    let is_note = target.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    let format = if markdown || is_note { "markdown" } else { "json" };
    let path = format!("/api/memory/export?format={format}");
    if target == Path::new("-") {
        let mut response = client.download(&path).await?;
        while let Some(chunk) = response.chunk().await.context("the export was cut off")? {
            terminal::print_bytes(&chunk);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let length = client.download_to(&path, target, |_| {}).await?;
    print_line!("Luna's memories are in {}, {}.", target.display(), bytes(length));
    Ok(ExitCode::SUCCESS)
}

pub async fn import(client: &Client, path: &PathBuf, json: bool) -> anyhow::Result<ExitCode> {
    let file = std::fs::File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut status = StatusLine::on_stderr();
    status.show("Reading …");
    let path = with_query("/api/memory/import", &[("name", &name)]);
    let reply: MemoryImportReply = client.upload(&path, file).await.context("nothing was imported")?;
    status.clear();
    if json {
        return print_json(&reply);
    }
    let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let imported: Vec<String> = [
        (reply.facts, "fact"),
        (reply.conversations, "conversation"),
        (reply.messages, "message"),
        (reply.entries, "saved text"),
        (reply.files, "file"),
    ]
    .into_iter()
    .filter(|(imported, _)| *imported > 0)
    .map(|(imported, what)| count(number(imported), what))
    .collect();
    let imported = if imported.is_empty() { "Nothing new".to_owned() } else { imported.join(", ") };
    print_line!(
        "{imported} imported. {} here already.",
        if reply.known == 0 { "Nothing was".to_owned() } else { format!("{} were", reply.known) }
    );
    for problem in &reply.problems {
        print_line!("  {}", clean_line(problem));
    }
    if reply.conversations > 0 {
        print_line!(
            "Luna reads the conversations from here on. What she learns is shown by: perigee memory list"
        );
    }
    Ok(ExitCode::SUCCESS)
}
