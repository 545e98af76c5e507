//! Checks of the server: its state, its port and its web app.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::time::Duration;

use host::{HomeLock, RunInfo};
use protocol::Health;

use super::{Check, Patient};
use crate::client::Client;
use crate::house::VERSION;

/// The time limit; a working server responds much sooner.
const PATIENCE: Duration = Duration::from_secs(5);

/// Checks for a server that holds the data folder, and returns a client for it.
pub async fn running(patient: &Patient) -> (Vec<Check>, Option<Client>) {
    let home = &patient.folders.home;
    let Some(info) = RunInfo::running(home) else {
        let check = if HomeLock::is_held(home) {
            let message = "Something holds the data folder, and does not say where it answers.";
            Check::warn(
                "server",
                message,
                "If no other perigee is starting or ending, look for one that hangs: pgrep -a perigee",
            )
        } else {
            Check::ok("server", "No server runs. Commands start one for as long as they need it.")
        };
        return (vec![check], None);
    };
    let stop = format!("Stop process {} and start it again: perigee serve", info.pid);
    let Ok(Some(client)) = Client::running(&patient.folders) else {
        return (vec![Check::fail("server", "The server cannot be spoken to.", stop)], None);
    };
    match tokio::time::timeout(PATIENCE, client.get::<Health>("/api/health")).await {
        Ok(Ok(health)) if health.version == VERSION => {
            (vec![Check::ok("server", format!("The server answers at {}.", info.address))], Some(client))
        }
        Ok(Ok(health)) => {
            let message = format!(
                "The server at {} is version {}, and this program is {VERSION}.",
                info.address, health.version
            );
            (vec![Check::warn("server", message, stop)], Some(client))
        }
        Ok(Err(_)) | Err(_) => (
            vec![Check::fail("server", format!("The server at {} does not answer.", info.address), stop)],
            None,
        ),
    }
}

pub fn checks(patient: &Patient) -> Vec<Check> {
    let mut checks = Vec::new();
    checks.extend(port(patient));
    checks.push(if server::has_web_app() {
        Check::ok("web", "The web app is part of this program.")
    } else {
        Check::warn(
            "web",
            "The web app is not part of this build; the terminal works without it.",
            "Build it in: cargo xtask run",
        )
    });
    checks
}

/// Checks that the server could listen on the configured address.
fn port(patient: &Patient) -> Option<Check> {
    if patient.server.is_some() {
        return None;
    }
    let settings = &patient.config.current().server;
    let host = if settings.host == "localhost" { "127.0.0.1" } else { &settings.host };
    let Ok(host) = host.parse::<IpAddr>() else {
        let message = format!("server.host: {} is not an address.", settings.host);
        return Some(Check::fail("port", message, "perigee config set server.host 127.0.0.1"));
    };
    if !host.is_loopback() {
        let message = format!("server.host: {host} would be open to the network without encryption.");
        return Some(Check::fail("port", message, "perigee config set server.host 127.0.0.1"));
    }
    let address = SocketAddr::new(host, settings.port);
    Some(match TcpListener::bind(address) {
        Ok(_) if settings.port == 0 => Check::ok("port", "The server picks a free port."),
        Ok(_) => Check::ok("port", format!("{address} is free.")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            let message = format!("{address} is used by another program.");
            Check::fail(
                "port",
                message,
                "End that one, or choose another port: perigee config set server.port 8900",
            )
        }
        Err(error) => {
            let message = format!("{address} cannot be listened on: {error}.");
            Check::fail("port", message, "Choose another port: perigee config set server.port 8900")
        }
    })
}
