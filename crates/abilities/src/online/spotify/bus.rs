use std::time::Duration;

use async_trait::async_trait;
use host::{ProcessError, Program};
use serde_json::Value;

/// The D-Bus session bus, on which media players register. It is reached through `busctl`, which comes with systemd and
/// prints JSON: a D-Bus library would add many dependencies for a few calls.
#[async_trait]
pub(crate) trait SessionBus: Send + Sync {
    /// Runs `busctl` with these arguments and returns its output; null if it prints nothing.
    async fn call(&self, arguments: &[&str]) -> Result<Value, BusError>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BusError {
    /// There is no bus, or no program to reach it.
    NoBus,
    /// The called service failed.
    Refused,
}

/// The bus, through the system's `busctl` program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Busctl {
    /// The address of a bus other than the user's.
    pub address: Option<String>,
}

const PATIENCE: Duration = Duration::from_secs(5);

#[async_trait]
impl SessionBus for Busctl {
    async fn call(&self, arguments: &[&str]) -> Result<Value, BusError> {
        let bus = self.address.as_ref().map_or("--user".to_owned(), |address| format!("--address={address}"));
        let program = Program::new("busctl")
            .inherit(&["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"])
            .args([bus.as_str(), "--json=short", "--timeout=3"])
            .args(arguments.iter().copied())
            .time_limit(PATIENCE)
            .output_limit(256 * 1024);
        let finished = program.run().await.map_err(|error| match error {
            ProcessError::TimedOut { .. } | ProcessError::TooMuchOutput { .. } => BusError::Refused,
            ProcessError::NotFound(_) | ProcessError::Start { .. } | ProcessError::Lost { .. } => {
                BusError::NoBus
            }
        })?;
        if !finished.status.success() || finished.truncated {
            let no_bus = ["connect to bus", "connect bus", "set bus address", "set address"];
            let is_silent = no_bus.iter().any(|words| finished.stderr.contains(words));
            return Err(if is_silent { BusError::NoBus } else { BusError::Refused });
        }
        if finished.stdout.trim_ascii().is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&finished.stdout).map_err(|_| BusError::Refused)
    }
}
