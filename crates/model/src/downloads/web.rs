use std::time::Duration;

use futures_util::StreamExt;
use host::FileError;
use protocol::{DownloadState, SourceKind};
use reqwest::header::{
    ACCEPT, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, IF_RANGE, LOCATION,
    RANGE,
};
use reqwest::{Response, StatusCode, Url};
use tokio::io::{AsyncWriteExt, BufWriter};
use tokio::time::timeout;

use super::job::{DownloadError, DownloadJob};
use super::model_folder::{MAGIC, PartMetadata};
use crate::http::{is_loopback, retry_after, shown};

/// The maximum number of redirects between a hub's URL and its storage.
const MOST_REDIRECTS: usize = 8;
/// The size limit in bytes. No model that runs on a home machine is larger.
const LARGEST: u64 = 256 << 30;
const BUFFER: usize = 1 << 20;

/// The reason why an attempt to download a file failed.
enum AttemptError {
    /// A temporary failure. Another attempt resumes where this one ended.
    Temporary {
        progressed: bool,
        asked: Option<Duration>,
        why: String,
    },
    /// The partial file belongs to a different version of the file.
    StartOver,
    Final(DownloadError),
}

impl From<DownloadError> for AttemptError {
    fn from(error: DownloadError) -> Self {
        Self::Final(error)
    }
}

impl From<FileError> for AttemptError {
    fn from(error: FileError) -> Self {
        Self::Final(error.into())
    }
}

/// The final response after all redirects, with the metadata of the redirect responses.
struct Found {
    response: Response,
    linked_etag: Option<String>,
    linked_size: Option<u64>,
}

/// Downloads a file into the job's partial file, with retries, and verifies it. Returns its checksum, if one is known.
pub(super) async fn download(
    job: &mut DownloadJob,
    url: &Url,
    kind: SourceKind,
) -> Result<Option<String>, DownloadError> {
    let place = shown(url);
    let mut fresh = false;
    loop {
        let resumed = job.model_folder().part_len(&job.name) > 0;
        job.status.step(DownloadState::Running, Some(kind), format!("Downloading from {place}."));
        let said = fetch(job, url).await?;
        let pinned = job.wanted.sha256.clone();
        match job.check(pinned.or(said).as_deref()).await {
            // The resumed part may be of an older version than the rest, so the whole file is downloaded once more.
            Err(DownloadError::Failed(_)) if resumed && !fresh => fresh = true,
            checked => return checked,
        }
    }
}

async fn fetch(job: &mut DownloadJob, url: &Url) -> Result<Option<String>, DownloadError> {
    let mut failures = 0;
    let mut restarts = 0;
    loop {
        match attempt(job, url).await {
            Ok(sha256) => return Ok(sha256),
            Err(AttemptError::Final(error)) => return Err(error),
            Err(AttemptError::StartOver) => {
                job.model_folder().discard(&job.name);
                restarts += 1;
                if restarts > 2 {
                    return Err(DownloadError::Failed(format!("The file at {} keeps changing", shown(url))));
                }
            }
            Err(AttemptError::Temporary { progressed, asked, why }) => {
                failures = if progressed { 1 } else { failures + 1 };
                let Some(wait) = job.options().retry.wait(failures, asked) else {
                    return Err(DownloadError::Failed(why));
                };
                job.status.change(|download| download.message = format!("{why}. Trying again in a moment."));
                job.pause(wait).await?;
            }
        }
    }
}

async fn attempt(job: &mut DownloadJob, url: &Url) -> Result<Option<String>, AttemptError> {
    let model_folder = job.model_folder().clone();
    let name = job.name.clone();
    let pinned = job.wanted.sha256.is_some();
    let length = model_folder.part_len(&name);
    let metadata = model_folder.part_metadata(&name).filter(|metadata| {
        let can_be_trusted = metadata.etag.is_some() || metadata.sha256.is_some() || pinned;
        metadata.url == url.as_str() && can_be_trusted && length > 0
    });
    let have = if metadata.is_some() { length } else { 0 };
    if let Some(metadata) = metadata.as_ref().filter(|metadata| metadata.size == Some(have)) {
        return Ok(metadata.sha256.clone());
    }

    let found = job.unless_cancelled(find(job, url, have, metadata.as_ref())).await??;
    let headers = found.response.headers();
    let etag = text(headers, &ETAG).filter(|etag| !etag.starts_with("W/"));
    let (start, total) = match found.response.status() {
        StatusCode::PARTIAL_CONTENT => {
            let range = text(headers, &CONTENT_RANGE).and_then(|range| content_range(&range));
            let same =
                |metadata: &PartMetadata| metadata.etag.is_none() || etag.is_none() || metadata.etag == etag;
            match (range, metadata) {
                (Some((start, total)), Some(metadata))
                    if start == have && same(&metadata) && metadata.size.is_none_or(|size| size == total) =>
                {
                    (have, Some(total))
                }
                _ => return Err(AttemptError::StartOver),
            }
        }
        StatusCode::RANGE_NOT_SATISFIABLE => return Err(AttemptError::StartOver),
        _ => (0, text(headers, &CONTENT_LENGTH).and_then(|length| length.parse().ok()).or(found.linked_size)),
    };
    if let Some(total) = total {
        job.wanted.accept_size(total, &shown(url))?;
        job.needs_room(total.saturating_sub(start))?;
    }
    let sha256 = [found.linked_etag, etag.clone()].into_iter().flatten().find_map(|etag| checksum_in(&etag));
    model_folder.write_part_metadata(
        &name,
        &PartMetadata { url: url.to_string(), etag, size: total, sha256: sha256.clone() },
    )?;
    receive(job, found.response, start, total, &shown(url)).await?;
    Ok(sha256)
}

/// Requests the file and follows redirects.
async fn find(
    job: &DownloadJob,
    url: &Url,
    have: u64,
    metadata: Option<&PartMetadata>,
) -> Result<Found, AttemptError> {
    let place = shown(url);
    let mut url = url.clone();
    let (mut linked_etag, mut linked_size) = (None, None);
    for _ in 0..MOST_REDIRECTS {
        let client =
            job.options().http.client(&url).map_err(|error| DownloadError::Failed(error.to_string()))?;
        let mut request = client.get(url.clone()).header(ACCEPT, "*/*");
        if have > 0 {
            request = request.header(RANGE, format!("bytes={have}-"));
            if let Some(etag) = metadata.and_then(|metadata| metadata.etag.as_deref()) {
                request = request.header(IF_RANGE, etag);
            }
        }
        let sent = timeout(job.options().stall, request.send()).await;
        let Ok(Ok(response)) = sent else {
            return Err(temporary(format!("{place} does not answer")));
        };
        let headers = response.headers();
        linked_etag = linked_etag.or_else(|| text(headers, &HeaderName::from_static("x-linked-etag")));
        linked_size = linked_size.or_else(|| {
            text(headers, &HeaderName::from_static("x-linked-size")).and_then(|size| size.parse().ok())
        });
        let status = response.status();
        if status.is_redirection() {
            let next = text(headers, &LOCATION).and_then(|to| url.join(&to).ok());
            url = match next {
                Some(next) if may_follow(&url, &next) => next,
                _ => {
                    return Err(
                        DownloadError::Failed(format!("{place} redirects to an unsafe address")).into()
                    );
                }
            };
            continue;
        }
        if matches!(status.as_u16(), 408 | 429 | 500..=599) {
            let asked = retry_after(headers);
            let why = format!("{place} is not ready (status {})", status.as_u16());
            return Err(AttemptError::Temporary { progressed: false, asked, why });
        }
        if matches!(status.as_u16(), 401 | 403) {
            return Err(DownloadError::Failed(format!(
                "{place} requires a login, or your consent to its terms"
            ))
            .into());
        }
        if !status.is_success() && status != StatusCode::RANGE_NOT_SATISFIABLE {
            return Err(DownloadError::Failed(format!(
                "{place} has no such file (status {})",
                status.as_u16()
            ))
            .into());
        }
        if text(headers, &CONTENT_TYPE).is_some_and(|kind| kind.to_ascii_lowercase().starts_with("text/html"))
        {
            return Err(DownloadError::Failed(format!("{place} sent a web page, not a model")).into());
        }
        return Ok(Found { response, linked_etag, linked_size });
    }
    Err(DownloadError::Failed(format!("{place} redirects too many times")).into())
}

/// Writes the body to the partial file after its first `start` bytes.
async fn receive(
    job: &mut DownloadJob,
    response: Response,
    start: u64,
    total: Option<u64>,
    place: &str,
) -> Result<(), AttemptError> {
    let path = job.model_folder().part(&job.name);
    let file = tokio::fs::File::from_std(job.model_folder().open_part(&job.name, start)?);
    let mut file = BufWriter::with_capacity(BUFFER, file);
    let mut received = start;
    let mut body = response.bytes_stream();
    let mut first = Vec::new();
    job.status.report_progress(received, total.unwrap_or(0));
    let again = |received: u64, why: String| AttemptError::Temporary {
        progressed: received > start,
        asked: None,
        why,
    };
    let ended = loop {
        let next = job.unless_cancelled(timeout(job.options().stall, body.next())).await;
        let piece = match next {
            Err(cancelled) => break Err(cancelled.into()),
            Ok(Err(_)) => break Err(again(received, format!("{place} stopped sending"))),
            Ok(Ok(Some(Err(_)))) => break Err(again(received, format!("The connection to {place} broke"))),
            Ok(Ok(None)) if total.is_some_and(|total| received < total) => {
                break Err(again(received, format!("{place} stopped in the middle of the file")));
            }
            Ok(Ok(None)) => break Ok(()),
            Ok(Ok(Some(Ok(piece)))) => piece,
        };
        received += piece.len() as u64;
        if received > total.unwrap_or(LARGEST) {
            return Err(DownloadError::Failed(format!("{place} sends more data than the file has")).into());
        }
        if start == 0 && first.len() < MAGIC.len() {
            first.extend_from_slice(&piece[..piece.len().min(MAGIC.len() - first.len())]);
            if job.wanted.gguf && !MAGIC.starts_with(&first) {
                return Err(DownloadError::Failed(format!(
                    "The file from {place} is not a model in the GGUF format"
                ))
                .into());
            }
        }
        file.write_all(&piece).await.map_err(|error| FileError::new("write", &path, error))?;
        job.status.report_progress(received, total.unwrap_or(0));
    };
    // Flushed on failure too, so that the next attempt can resume.
    file.flush().await.map_err(|error| FileError::new("write", &path, error))?;
    ended
}

fn temporary(why: String) -> AttemptError {
    AttemptError::Temporary { progressed: false, asked: None, why }
}

/// Returns true if a redirect may be followed. HTTPS may not redirect to plain HTTP, except on this machine.
fn may_follow(from: &Url, to: &Url) -> bool {
    match (from.scheme(), to.scheme()) {
        (_, "https") | ("http", "http") => true,
        ("https", "http") => is_loopback(to),
        _ => false,
    }
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(ToOwned::to_owned)
}

/// Returns the first byte and the total length from a range such as `bytes 100-199/200`.
fn content_range(text: &str) -> Option<(u64, u64)> {
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    Some((range.split_once('-')?.0.parse().ok()?, total.parse().ok()?))
}

/// Returns the ETag if it is a SHA-256. Hubs use the checksum of a large file as its ETag.
fn checksum_in(etag: &str) -> Option<String> {
    let etag = etag.trim_matches('"');
    let is_sha256 = etag.len() == 64 && etag.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_sha256.then(|| etag.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_checksums_are_read() {
        assert_eq!(content_range("bytes 100-199/200"), Some((100, 200)));
        for wrong in ["bytes */200", "100-199/200", "bytes 100-199/*", ""] {
            assert_eq!(content_range(wrong), None, "{wrong}");
        }
        assert_eq!(checksum_in(&format!("\"{}\"", "A".repeat(64))), Some("a".repeat(64)));
        assert_eq!(checksum_in("\"5f3-abc\""), None);
    }

    #[test]
    fn a_secure_address_is_not_left() {
        let url = |text: &str| Url::parse(text).unwrap();
        for (from, to, allowed) in [
            ("https://hub.example", "https://cdn.example", true),
            ("http://hub.example", "http://cdn.example", true),
            ("http://hub.example", "https://cdn.example", true),
            ("https://hub.example", "http://cdn.example", false),
            ("https://hub.example", "file:///etc/passwd", false),
        ] {
            assert_eq!(may_follow(&url(from), &url(to)), allowed, "{from} to {to}");
        }
    }
}
