//! Access for phones: the address as a QR code, and the certificate authority to install.

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use protocol::{ErrorCode, LanCode, LanReport};
use qrcode::{Color, EcLevel, QrCode};

use crate::error::{HandlerResult, Refusal};
use crate::output::Json;
use crate::route::{Access, Route, get, post};
use crate::state::ServerState;

const AUTHORITY: &str = "/lan/perigee.crt";

pub fn routes() -> Vec<Route> {
    vec![
        get("/api/lan", Access::Owner, "The state of access from your network, with the addresses.", report)
            .gives::<LanReport>(),
        post("/api/lan/code", Access::Owner, "Creates a QR code that signs in one phone.", code)
            .gives::<LanCode>(),
        get("/lan", Access::Public, "Instructions for a phone to trust this machine's certificate.", page)
            .gives_file(&["text/html"]),
        get(AUTHORITY, Access::Public, "The certificate authority of this machine.", authority)
            .gives_file(&["application/x-x509-ca-cert"]),
    ]
}

async fn report(State(app): State<ServerState>) -> Json<LanReport> {
    Json(app.lan.report())
}

async fn code(State(app): State<ServerState>) -> HandlerResult<Json<LanCode>> {
    let report = app.lan.report();
    let Some(address) = report.addresses.into_iter().next() else {
        let off = "access from your network is off: switch it on under Settings › Devices and access, \
                   or with `perigee config set server.lan true`";
        return Err(Refusal::new(ErrorCode::Conflict, report.trouble.unwrap_or_else(|| off.to_owned())));
    };
    let (code, life) = app.auth.make_code();
    let url = format!("{address}/#code={}", code.expose());
    let seconds = u32::try_from(life.as_secs()).unwrap_or(u32::MAX);
    Ok(Json(LanCode { rows: rows(&url)?, url, seconds }))
}

fn rows(url: &str) -> HandlerResult<Vec<String>> {
    let code = QrCode::with_error_correction_level(url, EcLevel::M)
        .map_err(|error| Refusal::new(ErrorCode::Internal, error.to_string()))?;
    let dot = |colour: &Color| if *colour == Color::Dark { '#' } else { '.' };
    let colours = code.to_colors();
    Ok(colours.chunks(code.width()).map(|row| row.iter().map(dot).collect()).collect())
}

async fn authority(State(app): State<ServerState>) -> HandlerResult<Response> {
    let bytes = app.lan.authority().ok_or_else(|| Refusal::not_found("authority: `server.lan` is off"))?;
    let headers = [
        (CONTENT_TYPE, "application/x-x509-ca-cert"),
        (CONTENT_DISPOSITION, "attachment; filename=\"perigee.crt\""),
    ];
    Ok((headers, bytes).into_response())
}

/// Plain HTML without a script: it must work before anything else does.
async fn page(State(app): State<ServerState>) -> HandlerResult<Html<String>> {
    let report = app.lan.report();
    let fingerprint = report.fingerprint.ok_or_else(|| Refusal::not_found("page: `server.lan` is off"))?;
    Ok(Html(
        include_str!("lan.html").replace("__FINGERPRINT__", &fingerprint).replace("__AUTHORITY__", AUTHORITY),
    ))
}
