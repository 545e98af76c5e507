//! A server for the public conformance suite of the Model Context Protocol.
//!
//! The suite calls tools, resources and prompts with fixed names that the product has no use for. They are defined here
//! and served by [`mcp::serve_handler`], as `/mcp` is: the sessions, streams and limits under test are the product's.
//! The product does not depend on this crate.
//!
//! Start with [`fixture::Fixture`]. `web/interop/conformance-server.test.mjs` runs the suite.

mod connection;
mod fixture;
mod forms;
mod prompts;
mod resources;
mod tools;

use std::io::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::connection::Reconnections;
use crate::fixture::Fixture;

/// The state of the server.
struct ConformanceState {
    served: StreamableHttpService<Fixture, LocalSessionManager>,
    reconnections: Reconnections,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let closing = CancellationToken::new();
    let state = ConformanceState {
        served: mcp::serve_handler(Fixture::default, mcp::HostCheck::ThisMachine, closing.clone()),
        reconnections: Reconnections::default(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/mcp", listener.local_addr()?);
    writeln!(std::io::stdout(), "{}", serde_json::json!({ "address": address }))?;
    let router = Router::new().route("/mcp", any(answer)).with_state(Arc::new(state));
    tokio::select! {
        served = axum::serve(listener, router) => served?,
        () = until_stdin_closes() => closing.cancel(),
    }
    Ok(())
}

async fn answer(State(state): State<Arc<ConformanceState>>, mut request: Request) -> Response {
    let connection = state.reconnections.register(&mut request);
    let response = state.served.handle(request).await;
    connection.wrap(response)
}

/// Returns when standard input is closed. The parent process holds it open; it closes at the latest when the parent
/// dies.
async fn until_stdin_closes() {
    let reading = tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
    drop(reading.await);
}
