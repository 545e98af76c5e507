use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::playback::{ClientRecords, OutputPiece};
use crate::{Gate, RecordedRequest};

const PIECE: usize = 16 * 1024;

/// A file server on a loopback socket, with range requests, ETags, a model hub's redirects, and scripted faults.
#[derive(Debug)]
pub struct Hub {
    url: String,
    shared: Arc<HubFiles>,
    server: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct HubFiles {
    clients: ClientRecords,
    files: Mutex<HashMap<String, File>>,
    faults: Mutex<HashMap<String, VecDeque<HubFault>>>,
}

#[derive(Debug, Clone)]
struct File {
    bytes: Arc<[u8]>,
    etag: Option<String>,
    /// The sha256 in the redirect to a storage host, if the file is served through one.
    linked: Option<String>,
}

/// A fault of the next request for a file.
#[derive(Debug, Clone)]
pub enum HubFault {
    /// Breaks the connection after this many bytes of the body.
    Cut {
        after: usize,
    },
    /// Waits at the gate after this many bytes of the body.
    Stall {
        after: usize,
        gate: Gate,
    },
    Status {
        code: u16,
        retry_after: Option<String>,
    },
    /// Sends the whole file, whatever range was requested.
    IgnoreRange,
    /// Sends another range than the requested one.
    WrongRange,
    /// Sends a web page instead of the file.
    Page,
    /// Changes one byte in the middle.
    Corrupt,
    /// Sends an endless body without a length.
    Endless,
}

impl Hub {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(HubFiles::default());
        let app = axum::Router::new().fallback(handle).with_state(Arc::clone(&shared));
        let server = tokio::spawn(async move {
            axum::serve(listener, app).await.unwrap();
        });
        Self { url, shared, server }
    }

    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Adds a file at a path such as `/maker/model/resolve/main/model.gguf`.
    pub fn file(&self, path: &str, bytes: impl Into<Vec<u8>>) -> &Self {
        let bytes: Vec<u8> = bytes.into();
        let etag =
            Some(format!("\"{:x}-{}\"", bytes.len(), bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>()));
        let file = File { bytes: bytes.into(), etag, linked: None };
        self.shared.files.lock().unwrap().insert(path.to_owned(), file);
        self
    }

    /// Changes or removes the ETag of a file.
    pub fn etag(&self, path: &str, etag: Option<&str>) -> &Self {
        self.change(path, |file| file.etag = etag.map(ToOwned::to_owned))
    }

    /// Serves the file as hubs serve large ones: through a redirect to storage, whose headers contain the size and the
    /// sha256.
    pub fn linked(&self, path: &str, sha256: &str) -> &Self {
        self.change(path, |file| file.linked = Some(sha256.to_owned()))
    }

    /// Adds a fault for the next request for this file; several are used one by one.
    pub fn fault(&self, path: &str, fault: HubFault) -> &Self {
        self.shared.faults.lock().unwrap().entry(path.to_owned()).or_default().push_back(fault);
        self
    }

    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.clients.requests()
    }

    /// Returns once this many clients have disconnected before the end of their file.
    pub async fn hung_up(&self, times: usize) {
        self.shared.clients.hung_up(times).await;
    }

    fn change(&self, path: &str, change: impl FnOnce(&mut File)) -> &Self {
        change(self.shared.files.lock().unwrap().get_mut(path).expect("put the file there first"));
        self
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn handle(State(shared): State<Arc<HubFiles>>, request: Request) -> Response {
    let request = shared.clients.record(request).await;
    let path = request.path.split('?').next().unwrap_or_default();
    let name = path.strip_prefix("/storage").unwrap_or(path);
    let Some(mut file) = shared.files.lock().unwrap().get(name).cloned() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if let Some(sha256) = &file.linked
        && name == path
    {
        return Response::builder()
            .status(StatusCode::FOUND)
            .header(header::LOCATION, format!("/storage{name}"))
            .header("x-linked-etag", format!("\"{sha256}\""))
            .header("x-linked-size", file.bytes.len())
            .body(Body::empty())
            .unwrap();
    }
    let fault = shared.faults.lock().unwrap().get_mut(name).and_then(VecDeque::pop_front);
    match &fault {
        Some(HubFault::Status { code, retry_after }) => {
            let mut response = Response::builder().status(*code);
            if let Some(value) = retry_after {
                response = response.header(header::RETRY_AFTER, value);
            }
            return response.body(Body::from("no")).unwrap();
        }
        Some(HubFault::Page) => {
            return ([(header::CONTENT_TYPE, "text/html")], "<!DOCTYPE html><p>Please log in")
                .into_response();
        }
        Some(HubFault::Corrupt) => {
            let mut bytes = file.bytes.to_vec();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            file.bytes = bytes.into();
        }
        _ => {}
    }
    send(&shared.clients, &file, &request, fault.as_ref())
}

fn send(
    clients: &ClientRecords,
    file: &File,
    request: &RecordedRequest,
    fault: Option<&HubFault>,
) -> Response {
    let length = file.bytes.len();
    let mut response = Response::builder()
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .header(header::ACCEPT_RANGES, "bytes")
        .header(header::CONNECTION, "close");
    if let Some(etag) = &file.etag {
        response = response.header(header::ETAG, etag);
    }
    let range = range_start(request, file).filter(|_| !matches!(fault, Some(HubFault::IgnoreRange)));
    let start = match range {
        Some(start) if start >= length => {
            let response = response
                .status(StatusCode::RANGE_NOT_SATISFIABLE)
                .header(header::CONTENT_RANGE, format!("bytes */{length}"));
            return response.body(Body::empty()).unwrap();
        }
        Some(start) => {
            let start = if matches!(fault, Some(HubFault::WrongRange)) { start / 2 } else { start };
            response = response
                .status(StatusCode::PARTIAL_CONTENT)
                .header(header::CONTENT_RANGE, format!("bytes {start}-{}/{length}", length - 1));
            start
        }
        None => 0,
    };
    let body = &file.bytes[start..];
    if !matches!(fault, Some(HubFault::Endless)) {
        response = response.header(header::CONTENT_LENGTH, body.len());
    }
    response.body(clients.answer().play(frames(body, fault))).unwrap()
}

/// Returns the first byte requested, if the request has a range and the client's copy is of this version.
fn range_start(request: &RecordedRequest, file: &File) -> Option<usize> {
    let start = request.header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()?;
    match request.header("if-range") {
        Some(etag) if file.etag.as_deref() != Some(etag) => None,
        _ => Some(start),
    }
}

fn frames(body: &[u8], fault: Option<&HubFault>) -> Vec<OutputPiece> {
    let pieces = |bytes: &[u8]| {
        bytes.chunks(PIECE).map(|piece| OutputPiece::Bytes(piece.to_vec())).collect::<Vec<_>>()
    };
    match fault {
        Some(HubFault::Cut { after }) => {
            let mut frames = pieces(&body[..(*after).min(body.len())]);
            frames.push(OutputPiece::Cut);
            frames
        }
        Some(HubFault::Stall { after, gate }) => {
            let (before, rest) = body.split_at((*after).min(body.len()));
            let mut frames = pieces(before);
            frames.push(OutputPiece::Wait(gate.clone()));
            frames.extend(pieces(rest));
            frames
        }
        Some(HubFault::Endless) => {
            let mut frames = pieces(body);
            frames.push(OutputPiece::Endless(vec![0; PIECE]));
            frames
        }
        _ => pieces(body),
    }
}
