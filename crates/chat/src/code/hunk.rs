//! A hunk of a proposal: its display, and editing it.

use std::process::Command;

use anyhow::Context as _;
use protocol::{DiffHunk, DiffLine, DiffLineKind};
use terminal::{AnsiColour, Painter, TextStyle, clean_line};

/// Formats a hunk like `diff -u`, with colours if the terminal has them.
pub fn format(painter: Painter, hunk: &DiffHunk) -> String {
    let DiffHunk { old_start, old_lines, new_start, new_lines, lines, .. } = hunk;
    let head = format!("@@ -{old_start},{old_lines} +{new_start},{new_lines} @@");
    let mut out = format!("{}\n", painter.apply(TextStyle::coloured(AnsiColour::Cyan), &head));
    for DiffLine { kind, text, no_newline } in lines {
        let (mark, style) = match kind {
            DiffLineKind::Same => (' ', TextStyle::PLAIN),
            DiffLineKind::Added => ('+', TextStyle::coloured(AnsiColour::Green)),
            DiffLineKind::Removed => ('-', TextStyle::coloured(AnsiColour::Red)),
        };
        out.push_str(&painter.apply(style, &format!("{mark}{}", clean_line(text))));
        out.push('\n');
        if *no_newline {
            out.push_str(&painter.dim("\\ no newline at the end"));
            out.push('\n');
        }
    }
    out
}

/// Returns the lines after the change.
fn text_after(hunk: &DiffHunk) -> String {
    let mut text = String::new();
    for line in hunk.lines.iter().filter(|line| line.kind != DiffLineKind::Removed) {
        text.push_str(&line.text);
        if !line.no_newline {
            text.push('\n');
        }
    }
    text
}

/// Opens the hunk in the user's editor. Returns `None` if it was left unchanged or emptied.
pub fn edit(path: &str, hunk: &DiffHunk) -> anyhow::Result<Option<String>> {
    let named = |name: &&str| std::env::var(name).ok().filter(|program| !program.trim().is_empty());
    let program = ["VISUAL", "EDITOR"].iter().find_map(named).unwrap_or_else(|| "vi".to_owned());
    let before = text_after(hunk);
    // The editor detects the language by the file name.
    let name = path.rsplit('/').next().unwrap_or("hunk");
    let folder = tempfile::tempdir().context("no temporary file could be made")?;
    let file = folder.path().join(name);
    host::atomic_write_private(&file, before.as_bytes())?;
    #[expect(
        clippy::disallowed_methods,
        reason = "the user's own editor, on their terminal and in their environment"
    )]
    let mut shell = Command::new("sh");
    // The variable may contain arguments, such as `code --wait`.
    let status = shell.arg("-c").arg(format!("{program} \"$1\"")).arg("sh").arg(&file).status();
    let status = status.with_context(|| format!("{program} cannot be started"))?;
    anyhow::ensure!(status.success(), "the editor `{program}` ended with {status}, so nothing was changed");
    let text = std::fs::read_to_string(&file).context("the edited text cannot be read")?;
    Ok(changed_text(&before, text))
}

/// Drops a final newline that the editor added, and returns the text if it was changed.
fn changed_text(before: &str, mut text: String) -> Option<String> {
    if !before.ends_with('\n') && text.ends_with('\n') {
        text.pop();
    }
    // As with git, an emptied file cancels the edit.
    (text != before && !text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk() -> DiffHunk {
        let line = |kind, text: &str, no_newline| DiffLine { kind, text: text.into(), no_newline };
        DiffHunk {
            id: 0,
            old_start: 1,
            old_lines: 2,
            new_start: 1,
            new_lines: 2,
            lines: vec![
                line(DiffLineKind::Same, "one", false),
                line(DiffLineKind::Removed, "two", true),
                line(DiffLineKind::Added, "2\u{1b}[31m", true),
            ],
        }
    }

    #[test]
    fn a_piece_is_shown_and_nothing_in_it_reaches_the_terminal() {
        let plain = format(Painter::new(false), &hunk());
        assert!(plain.starts_with("@@ -1,2 +1,2 @@\n one\n-two\n"), "{plain}");
        assert!(!plain.contains('\u{1b}'), "{plain:?}");
        assert!(format(Painter::new(true), &hunk()).contains("\u{1b}[31m-two"));
    }

    #[test]
    fn what_comes_back_from_the_editor_is_taken_as_it_was_meant() {
        assert_eq!(text_after(&hunk()), "one\n2\u{1b}[31m");
        assert_eq!(changed_text("one\n2", "one\n2\n".into()), None);
        assert_eq!(changed_text("one\n2", "one\n3\n".into()), Some("one\n3".into()));
        assert_eq!(changed_text("one\n", "\n".into()), None);
    }
}
