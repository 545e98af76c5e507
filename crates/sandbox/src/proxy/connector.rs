//! Permission check, name resolution and connection to a requested host.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use host::{
    AllowedAddresses, AllowedHosts, Host, is_public, is_same_network, local_address_for, resolve_name,
};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::refusal::ProxyRefusal;

/// ProxyTimeouts of the proxy.
#[derive(Debug, Clone, Copy)]
pub struct ProxyTimeouts {
    /// The time for the whole head of a request.
    pub head: Duration,
    /// The time for name resolution and connecting.
    pub connect: Duration,
    /// The time without any data in either direction.
    pub silence: Duration,
}

/// Name resolution and routing. Tests replace it, because their sockets reach only this machine.
pub trait Internet: Send + Sync + 'static {
    fn addresses<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        Box::pin(resolve_name(name))
    }

    /// Returns true if an address is on the public internet and neither this machine's own nor in its network.
    fn is_outside(&self, address: IpAddr) -> bool {
        is_public(address) && !local_address_for(address).is_some_and(|own| is_same_network(address, own))
    }

    /// Returns the address to connect to, for a checked address.
    fn connect_address(&self, address: SocketAddr) -> SocketAddr {
        address
    }
}

pub type Addresses<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// The real internet.
#[derive(Debug)]
pub struct RealInternet;

impl Internet for RealInternet {}

/// Connects to the hosts that a program may reach.
pub struct Connector {
    pub hosts: AllowedHosts,
    pub internet: Arc<dyn Internet>,
    pub timeouts: ProxyTimeouts,
}

impl Connector {
    /// Connects to a checked address; the name is not resolved again.
    pub async fn connect(&self, host: &Host, port: u16) -> Result<TcpStream, ProxyRefusal> {
        let shown = if matches!(port, 80 | 443) { host.to_string() } else { format!("{host}:{port}") };
        let Some(allowed) = self.hosts.permits(host, port) else {
            return Err(ProxyRefusal::NotAllowed(shown));
        };
        let connecting = timeout(self.timeouts.connect, async {
            let addresses = match host {
                Host::Address(address) => vec![*address],
                Host::Name(name) => self.internet.addresses(name).await.unwrap_or_default(),
            };
            if addresses.is_empty() {
                return Err(ProxyRefusal::Unknown(shown.clone()));
            }
            // One address that is not public discredits the whole name.
            if allowed == AllowedAddresses::PublicOnly
                && !addresses.iter().all(|address| self.internet.is_outside(*address))
            {
                return Err(ProxyRefusal::NotPublic(shown.clone()));
            }
            let addresses =
                addresses.iter().map(|address| self.internet.connect_address((*address, port).into()));
            let addresses: Vec<SocketAddr> = addresses.collect();
            TcpStream::connect(&addresses[..]).await.map_err(|_| ProxyRefusal::Silent(shown.clone()))
        });
        connecting.await.unwrap_or_else(|_| Err(ProxyRefusal::TooSlow(shown.clone())))
    }
}
