use axum::extract::State;
use config::SetError;
use protocol::{ConfigPatch, ConfigReport, ErrorCode};

use crate::error::{HandlerResult, Refusal};
use crate::input::JsonBody;
use crate::output::Json;
use crate::route::{Access, Route, get, patch};
use crate::state::ServerState;

pub fn routes() -> Vec<Route> {
    vec![
        get(
            "/api/config",
            Access::Owner,
            "The settings, the source of each, and the errors in the file.",
            read,
        )
        .gives::<ConfigReport>(),
        patch(
            "/api/config",
            Access::Owner,
            "Changes settings in the file, which keeps its comments.",
            change,
        )
        .takes::<ConfigPatch>()
        .gives::<ConfigReport>(),
    ]
}

async fn read(State(app): State<ServerState>) -> Json<ConfigReport> {
    app.config.reload_if_changed();
    Json(app.config.report())
}

async fn change(
    State(app): State<ServerState>,
    JsonBody(patch): JsonBody<ConfigPatch>,
) -> HandlerResult<Json<ConfigReport>> {
    app.config.set(&patch).map_err(|error| Refusal::new(fault(&error), error.to_string()))?;
    // A new owner's key is valid, and the old one invalid, as soon as this request is answered.
    app.auth.follow_settings();
    Ok(Json(app.config.report()))
}

/// Returns the code for a failure to change the settings: either the caller can correct the value, or the disk failed.
pub(super) fn fault(error: &SetError) -> ErrorCode {
    match error {
        SetError::File(_) => ErrorCode::Internal,
        SetError::Broken { .. }
        | SetError::Unknown { .. }
        | SetError::Invalid { .. }
        | SetError::Decided { .. }
        | SetError::OnlyInFile(_) => ErrorCode::BadRequest,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use host::FileError;

    use super::*;

    #[test]
    fn a_full_disk_is_not_the_callers_fault() {
        let full = FileError::new("write", "/config.toml", Error::from(ErrorKind::StorageFull));
        let broken = SetError::Broken { path: "/config.toml".into(), reason: "at line 1".into() };
        for (error, expected) in [
            (SetError::File(full), ErrorCode::Internal),
            (broken, ErrorCode::BadRequest),
            (SetError::Unknown { key: "llm.x".into(), meant: None }, ErrorCode::BadRequest),
            (SetError::OnlyInFile("llm.command"), ErrorCode::BadRequest),
        ] {
            assert_eq!(fault(&error), expected, "{error}");
        }
    }
}
