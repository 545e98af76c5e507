use std::path::{Path, PathBuf};

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::{AttachmentUpload, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS};
use terminal::bytes;

/// The files attached to the next message.
#[derive(Debug, Default)]
pub struct Attachments(Vec<AttachmentUpload>);

impl Attachments {
    /// Reads a file and returns its name and size for display.
    pub fn add(&mut self, file: &str) -> anyhow::Result<String> {
        anyhow::ensure!(
            self.0.len() < MAX_ATTACHMENTS,
            "a message can carry at most {MAX_ATTACHMENTS} files"
        );
        let path = expand_home(file);
        let shown = path.display();
        let length = std::fs::metadata(&path).with_context(|| format!("{shown} cannot be read"))?.len();
        anyhow::ensure!(
            length <= MAX_ATTACHMENT_BYTES as u64,
            "{shown} has {}, and the limit is {}",
            bytes(length),
            bytes(MAX_ATTACHMENT_BYTES as u64)
        );
        let data = std::fs::read(&path).with_context(|| format!("{shown} cannot be read"))?;
        let name =
            path.file_name().map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned());
        let mime = mime(&path, &data).with_context(|| format!("{shown} is neither text nor a picture"))?;
        self.0.push(AttachmentUpload {
            name: name.clone(),
            mime: mime.to_owned(),
            data: STANDARD.encode(&data),
        });
        Ok(format!("{name}, {}", bytes(length)))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn put_back(&mut self, attachments: Vec<AttachmentUpload>) {
        self.0 = attachments;
    }

    pub fn take(&mut self) -> Vec<AttachmentUpload> {
        std::mem::take(&mut self.0)
    }
}

fn expand_home(file: &str) -> PathBuf {
    match (file.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(file),
    }
}

/// Detects the MIME type by content rather than by file name.
fn mime(path: &Path, data: &[u8]) -> Option<&'static str> {
    let signatures: [(&[u8], &str); 5] = [
        (b"\x89PNG\r\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"RIFF", "image/webp"),
        (b"%PDF", "application/pdf"),
    ];
    if let Some((_, mime)) = signatures.iter().find(|(signature, _)| data.starts_with(signature)) {
        return Some(mime).filter(|mime| mime.starts_with("image/")).copied();
    }
    std::str::from_utf8(data).ok().filter(|text| !text.contains('\0'))?;
    Some(match path.extension().and_then(|ending| ending.to_str()) {
        Some("md" | "markdown") => "text/markdown",
        Some("json") => "application/json",
        Some("csv") => "text/csv",
        Some("html" | "htm") => "text/html",
        _ => "text/plain",
    })
}

#[cfg(test)]
mod tests {
    use testkit::TempHome;

    use super::*;

    #[test]
    fn a_file_is_told_by_what_it_holds() {
        for (name, data, expected) in [
            ("a.txt", b"hello".as_slice(), Some("text/plain")),
            ("a.md", b"# hi", Some("text/markdown")),
            ("picture.txt", b"\x89PNG\r\n\x1a\n", Some("image/png")),
            ("photo", b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            ("program", b"\x7fELF\0\0", None),
            ("paper.pdf", b"%PDF-1.7", None),
        ] {
            assert_eq!(mime(Path::new(name), data), expected, "{name}");
        }
    }

    #[test]
    fn files_wait_for_the_next_message() {
        let home = TempHome::new();
        let file = home.write("notes.txt", "moon");
        let mut attachments = Attachments::default();
        assert_eq!(attachments.add(&file.display().to_string()).unwrap(), "notes.txt, 4 B");
        assert!(attachments.add("/nowhere/at-all").is_err());
        let taken = attachments.take();
        assert_eq!(taken[0].data, "bW9vbg==");
        assert!(attachments.is_empty());
        attachments.put_back(taken);
        assert!(!attachments.is_empty());
    }
}
