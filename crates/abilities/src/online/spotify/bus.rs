use std::time::Duration;

use async_trait::async_trait;
use host::{ProcessError, Program};
use serde_json::Value;

/// The session bus of the desktop, on which players listen.
#[async_trait]
pub(crate) trait Bus: Send + Sync {
    /// What `busctl` answers to these arguments; null where it says nothing.
    async fn ask(&self, arguments: &[&str]) -> Result<Value, BusError>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BusError {
    /// There is no bus here, or no program to reach it.
    NoBus,
    /// Whoever was asked did not do it.
    Refused,
}

/// The bus through the program that comes with the system.
#[derive(Debug, Clone, Default)]
pub(crate) struct Busctl {
    /// Another bus than the user's own.
    pub address: Option<String>,
}

const PATIENCE: Duration = Duration::from_secs(5);

#[async_trait]
impl Bus for Busctl {
    async fn ask(&self, arguments: &[&str]) -> Result<Value, BusError> {
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
