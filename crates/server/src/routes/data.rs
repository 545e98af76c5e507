use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use axum::body::{Body as HttpBody, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use backup::BackupError;
use futures_util::{StreamExt, stream};
use protocol::{ConversationId, ErrorCode, Push};
use serde::{Deserialize, Serialize};
use store::{ExportedConversation, StoreError};
use utoipa::ToSchema;

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::input::JsonBody;
use crate::output::Json;
use crate::route::{Access, Route, get, post};
use crate::state::ServerState;

/// The size limit for an import, enough for years of conversations with images.
const IMPORT_LIMIT: usize = 1024 * 1024 * 1024;

pub fn routes() -> Vec<Route> {
    vec![
        get("/api/export", Access::Owner, "All conversations of the owner as one JSON document.", export)
            .gives_file(&["application/json"]),
        post(
            "/api/import",
            Access::Owner,
            "Imports the conversations of such a document, all or none.",
            import,
        )
        .takes::<ImportRequest>()
        .gives::<ImportReport>()
        .up_to(IMPORT_LIMIT),
        post(
            "/api/backup",
            Access::Owner,
            "Writes all data that cannot be recreated into one backup file on this machine.",
            backup,
        )
        .takes::<BackupRequest>()
        .gives::<BackupReport>(),
    ]
}

#[derive(Deserialize, ToSchema)]
struct ImportRequest {
    #[schema(value_type = Vec<Object>)]
    conversations: Vec<ExportedConversation>,
}

/// The result of an import.
#[derive(Serialize, ToSchema)]
struct ImportReport {
    conversations: Vec<ConversationId>,
    messages: usize,
}

#[derive(Deserialize, ToSchema)]
struct BackupRequest {
    /// The absolute path of a file that does not exist yet.
    #[schema(value_type = String)]
    path: PathBuf,
}

/// The contents of a backup.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BackupReport {
    #[schema(value_type = String)]
    path: PathBuf,
    version: String,
    created: String,
    files: u64,
    /// The size of all files, uncompressed.
    bytes: u64,
    /// The size of the backup itself.
    archive_bytes: u64,
    skipped: Vec<LeftOut>,
}

#[derive(Serialize, ToSchema)]
struct LeftOut {
    path: String,
    why: String,
}

/// Exports conversations one by one, so that a very large store needs little memory.
async fn export(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Response> {
    let ids = app.store.conversation_ids(caller.user).await?;
    let store = app.store.clone();
    let conversations = stream::iter(ids.into_iter().enumerate()).then(move |(place, id)| {
        let store = store.clone();
        async move {
            let conversation = store.export_conversation(caller.user, id).await?;
            let json = serde_json::to_string(&conversation)
                .map_err(|error| StoreError::Internal(error.to_string()))?;
            let comma = if place == 0 { "" } else { ",\n" };
            Ok::<_, StoreError>(Bytes::from(format!("{comma}{json}")))
        }
    });
    let literal = |text: &'static str| {
        stream::once(async move { Ok::<_, StoreError>(Bytes::from_static(text.as_bytes())) })
    };
    let body = literal("{\"format\":1,\"conversations\":[\n").chain(conversations).chain(literal("\n]}\n"));
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CONTENT_DISPOSITION, "attachment; filename=\"perigee-export.json\""),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, HttpBody::from_stream(body)).into_response())
}

async fn import(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<ImportRequest>,
) -> HandlerResult<Json<ImportReport>> {
    let imported = app.store.import(caller.user, request.conversations).await?;
    for id in &imported.conversations {
        let chat = app.store.summary(caller.user, *id).await?;
        app.companion.feed().tell(caller.user, Push::ChatChanged { chat });
    }
    Ok(Json(ImportReport { conversations: imported.conversations, messages: imported.messages }))
}

/// Creates a backup. If the client disconnects, the backup is cancelled and leaves no file.
async fn backup(
    State(app): State<ServerState>,
    JsonBody(request): JsonBody<BackupRequest>,
) -> HandlerResult<Json<BackupReport>> {
    let path = request.path;
    if !path.is_absolute() {
        return Err(Refusal::bad_request("give the absolute path of the file"));
    }
    let paths = app.config.paths();
    let made = backup::create(&app.store, &paths, app.version, app.now(), &path, &|_| {});
    let info = made.await.map_err(|error| Refusal::new(fault(&error, &path), error.to_string()))?;
    let skipped = info.skipped.into_iter().map(|skipped| LeftOut { path: skipped.path, why: skipped.why });
    Ok(Json(BackupReport {
        path,
        version: info.version,
        created: info.created.to_string(),
        files: info.files,
        bytes: info.bytes,
        archive_bytes: info.archive_bytes,
        skipped: skipped.collect(),
    }))
}

/// Returns the code for a failed backup: the requested path is wrong, or this machine failed.
fn fault(error: &BackupError, asked: &Path) -> ErrorCode {
    match error {
        BackupError::Exists(_) | BackupError::Overlap { .. } | BackupError::TooManyFiles { .. } => {
            ErrorCode::BadRequest
        }
        BackupError::File(file) if file.path() == asked => match file.kind() {
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput => ErrorCode::BadRequest,
            _ => ErrorCode::Internal,
        },
        _ => ErrorCode::Internal,
    }
}

#[cfg(test)]
mod tests {
    use host::FileError;

    use super::*;

    #[test]
    fn a_full_disk_is_not_the_callers_fault_and_a_bad_path_is() {
        let asked = Path::new("/backups/a.tar.gz");
        let file = |path: &str, kind: ErrorKind| {
            BackupError::File(FileError::new("write", path, std::io::Error::from(kind)))
        };
        for (error, expected) in [
            (BackupError::Exists(asked.into()), ErrorCode::BadRequest),
            (BackupError::DiskFull, ErrorCode::Internal),
            (BackupError::Snapshot(StoreError::Busy), ErrorCode::Internal),
            (BackupError::Internal("a panic".into()), ErrorCode::Internal),
            (file("/backups/a.tar.gz", ErrorKind::NotFound), ErrorCode::BadRequest),
            (file("/backups/a.tar.gz", ErrorKind::PermissionDenied), ErrorCode::BadRequest),
            (file("/backups/a.tar.gz", ErrorKind::StorageFull), ErrorCode::Internal),
            (file("/data/soul", ErrorKind::PermissionDenied), ErrorCode::Internal),
        ] {
            assert_eq!(fault(&error, asked), expected, "{error}");
        }
    }
}
