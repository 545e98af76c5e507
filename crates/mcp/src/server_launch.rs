use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use config::{McpServer, McpTransport};
use host::{ProcessError, Program};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{AuthClient, StreamableHttpClientTransport};
use sandbox::{Policy, Sandbox};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::limited_http::LimitedHttpClient;
use crate::server_process::ServerProcess;
use crate::sign_in::ServerSignIn;

/// The time limit of a server process, which runs until it is stopped.
const NO_TIME_LIMIT: Duration = Duration::from_hours(24 * 36_500);
/// The longest message accepted from a server. Longer ones are dropped.
pub const LONGEST_MESSAGE: usize = 8 * 1024 * 1024;

/// The way to start or reach a server.
#[derive(Clone)]
pub enum ServerLaunch {
    /// As configured in the settings.
    Configured(McpServer),
    /// In the sandbox.
    Sandboxed { sandbox: Arc<Sandbox>, policy: Policy, command: Vec<OsString> },
}

impl ServerLaunch {
    /// Returns a digest that changes whenever a different program would be started or a different server reached.
    pub fn digest(server: &McpServer) -> String {
        let secret = |texts: &std::collections::BTreeMap<String, host::Secret>| -> Value {
            texts.iter().map(|(name, value)| (name.clone(), Value::from(value.expose()))).collect()
        };
        let whole = match &server.reach {
            McpTransport::Program { command, args, env, cwd } => json!([command, args, secret(env), cwd]),
            McpTransport::Http { url, headers, .. } => json!([url.as_str(), secret(headers)]),
        };
        host::hex(&Sha256::digest(whole.to_string()))
    }

    /// Describes the program or URL for the confirmation. Environment values are not shown.
    pub fn description(server: &McpServer) -> String {
        match &server.reach {
            McpTransport::Program { command, args, .. } => {
                std::iter::once(command).chain(args).map(|part| quoted(part)).collect::<Vec<_>>().join(" ")
            }
            McpTransport::Http { url, .. } => url.without_password(),
        }
    }

    /// Starts the server process, if the server is a program.
    pub fn start(&self) -> Result<Option<Box<dyn ServerProcess>>, String> {
        let prepare =
            |program: Program| program.with_open_stdin().time_limit(NO_TIME_LIMIT).output_limit(usize::MAX);
        match self {
            Self::Configured(McpServer {
                reach: McpTransport::Program { command, args, env, cwd }, ..
            }) => {
                let mut program = prepare(Program::new(command)).args(args.iter().cloned());
                for (name, value) in env {
                    program = program.env(name, value.expose());
                }
                if let Some(cwd) = cwd {
                    program = program.dir(cwd);
                }
                let child = program.spawn().map_err(|error| spawn_error(command, error))?;
                Ok(Some(Box::new(child)))
            }
            Self::Configured(McpServer { reach: McpTransport::Http { .. }, .. }) => Ok(None),
            Self::Sandboxed { sandbox, policy, command } => {
                let program =
                    sandbox.start(policy, command.clone(), prepare).map_err(|error| error.to_string())?;
                Ok(Some(Box::new(program)))
            }
        }
    }

    /// Builds the HTTP transport for a server reached by URL.
    pub async fn http(
        &self,
        sign_in: &ServerSignIn,
    ) -> Result<StreamableHttpClientTransport<AuthClient<LimitedHttpClient>>, String> {
        let Self::Configured(McpServer { reach: McpTransport::Http { url, headers, .. }, .. }) = self else {
            return Err("it has no address".to_owned());
        };
        let mut sent = HashMap::new();
        for (name, value) in headers {
            let name: reqwest::header::HeaderName =
                name.parse().map_err(|_| format!("{name} cannot be the name of a header"))?;
            let mut value: reqwest::header::HeaderValue =
                value.expose().parse().map_err(|_| format!("the value of {name} cannot be sent"))?;
            value.set_sensitive(true);
            sent.insert(name, value);
        }
        let address: reqwest::Url =
            url.as_str().parse().map_err(|error| format!("{url} is no address: {error}"))?;
        let mut builder = reqwest::Client::builder();
        if host::is_local_host(address.host_str().unwrap_or_default()) {
            builder = builder.no_proxy();
        }
        let client = builder
            .connect_timeout(Duration::from_secs(10))
            // No redirects: the request, keys included, is meant for this server only.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| error.to_string())?;
        let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
            .custom_headers(sent)
            .max_sse_event_size(LONGEST_MESSAGE)
            .reinit_on_expired_session(true);
        Ok(StreamableHttpClientTransport::with_client(
            sign_in.client(LimitedHttpClient(client)).await?,
            config,
        ))
    }
}

fn quoted(part: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./@:=+,%".contains(letter);
    if !part.is_empty() && part.chars().all(plain) { part.to_owned() } else { format!("{part:?}") }
}

/// Explains a missing program, with a hint for known ones.
fn spawn_error(command: &str, error: ProcessError) -> String {
    let help = match command {
        "npx" | "node" => " It comes with Node.js.",
        "uvx" | "uv" => " It comes with uv, from astral.sh.",
        _ => "",
    };
    match error {
        ProcessError::NotFound(_) => format!("{command} is not installed here, or not in the PATH.{help}"),
        other => other.to_string(),
    }
}
