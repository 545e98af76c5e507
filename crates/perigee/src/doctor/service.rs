//! Checks of the server: its state, its port and its web app.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::time::Duration;

use client::Client;
use host::{HomeLock, RunInfo};
use protocol::Health;

use super::check::DoctorCheck;
use super::installation::Installation;
use crate::app::VERSION;
use crate::connect::running as running_server;

/// The time limit; a working server responds much sooner.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Checks for a server that holds the data folder, and returns a client for it.
pub async fn running(installation: &Installation) -> (Vec<DoctorCheck>, Option<Client>) {
    let home = &installation.folders.home;
    let Some(info) = RunInfo::running(home) else {
        let check = if HomeLock::is_held(home) {
            let message = "A process uses the data folder, but does not say where it can be reached.";
            DoctorCheck::warn(
                "server",
                message,
                "If no other perigee is starting or stopping, look for one that hangs: pgrep -a perigee",
            )
        } else {
            DoctorCheck::ok("server", "No server is running. Commands start one for as long as they need it.")
        };
        return (vec![check], None);
    };
    let stop = format!("Stop process {} and start it again: perigee serve", info.pid);
    let Ok(Some(client)) = running_server(&installation.folders) else {
        return (vec![DoctorCheck::fail("server", "The server cannot be reached.", stop)], None);
    };
    match tokio::time::timeout(TIMEOUT, client.get::<Health>("/api/health")).await {
        Ok(Ok(health)) if health.version == VERSION => (
            vec![DoctorCheck::ok("server", format!("The server is running at {}.", info.address))],
            Some(client),
        ),
        Ok(Ok(health)) => {
            let message = format!(
                "The server at {} is version {}, and this program is {VERSION}.",
                info.address, health.version
            );
            (vec![DoctorCheck::warn("server", message, stop)], Some(client))
        }
        Ok(Err(_)) | Err(_) => (
            vec![DoctorCheck::fail(
                "server",
                format!("The server at {} does not respond.", info.address),
                stop,
            )],
            None,
        ),
    }
}

pub fn checks(installation: &Installation) -> Vec<DoctorCheck> {
    let mut checks = Vec::new();
    checks.extend(port(installation));
    checks.push(if server::has_web_app() {
        DoctorCheck::ok("web", "The web app is part of this program.")
    } else {
        DoctorCheck::warn(
            "web",
            "The web app is not part of this build; the terminal works without it.",
            "Build it in: cargo xtask run",
        )
    });
    checks
}

/// Checks that the server could listen on the configured address.
fn port(installation: &Installation) -> Option<DoctorCheck> {
    if installation.server.is_some() {
        return None;
    }
    let settings = &installation.config.current().server;
    let host = if settings.host == "localhost" { "127.0.0.1" } else { &settings.host };
    let Ok(host) = host.parse::<IpAddr>() else {
        let message = format!("server.host: {} is not an address.", settings.host);
        return Some(DoctorCheck::fail("port", message, "perigee config set server.host 127.0.0.1"));
    };
    if !host.is_loopback() {
        let message = format!("server.host: {host} would be open to the network without encryption.");
        return Some(DoctorCheck::fail("port", message, "perigee config set server.host 127.0.0.1"));
    }
    let address = SocketAddr::new(host, settings.port);
    Some(match TcpListener::bind(address) {
        Ok(_) if settings.port == 0 => DoctorCheck::ok("port", "The server picks a free port."),
        Ok(_) => DoctorCheck::ok("port", format!("{address} is free.")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            let message = format!("{address} is used by another program.");
            DoctorCheck::fail(
                "port",
                message,
                "Stop that program, or choose another port: perigee config set server.port 8900",
            )
        }
        Err(error) => {
            let message = format!("The server cannot listen on {address}: {error}.");
            DoctorCheck::fail("port", message, "Choose another port: perigee config set server.port 8900")
        }
    })
}
