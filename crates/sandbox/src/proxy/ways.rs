//! Permission check, name resolution and connection to a requested host.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use host::{Host, Hosts, Reach, addresses_of, comes_from, is_beside, is_public};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::Patience;
use super::refusal::Refusal;

/// Name resolution and connections. Tests replace it, because their sockets reach only this machine.
pub trait Internet: Send + Sync + 'static {
    fn addresses<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        Box::pin(addresses_of(name))
    }

    /// Returns true if an address is on the public internet and neither this machine's own nor in its network.
    fn is_far(&self, address: IpAddr) -> bool {
        is_public(address) && !comes_from(address).is_some_and(|own| is_beside(address, own))
    }

    /// Returns the address to connect to, for a checked address.
    fn way_to(&self, address: SocketAddr) -> SocketAddr {
        address
    }
}

pub type Addresses<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// The real internet.
#[derive(Debug)]
pub struct TheInternet;

impl Internet for TheInternet {}

pub struct Ways {
    pub hosts: Hosts,
    pub internet: Arc<dyn Internet>,
    pub patience: Patience,
}

impl Ways {
    /// Connects to a checked address; the name is not resolved again.
    pub async fn connect(&self, host: &Host, port: u16) -> Result<TcpStream, Refusal> {
        let shown = if matches!(port, 80 | 443) { host.to_string() } else { format!("{host}:{port}") };
        let Some(reach) = self.hosts.reach(host, port) else {
            return Err(Refusal::NotAllowed(shown));
        };
        let connecting = timeout(self.patience.connect, async {
            let addresses = match host {
                Host::Address(address) => vec![*address],
                Host::Name(name) => self.internet.addresses(name).await.unwrap_or_default(),
            };
            if addresses.is_empty() {
                return Err(Refusal::Unknown(shown.clone()));
            }
            // One address that is not public discredits the whole name.
            if reach == Reach::Public && !addresses.iter().all(|address| self.internet.is_far(*address)) {
                return Err(Refusal::NotPublic(shown.clone()));
            }
            let ways = addresses.iter().map(|address| self.internet.way_to((*address, port).into()));
            let ways: Vec<SocketAddr> = ways.collect();
            TcpStream::connect(&ways[..]).await.map_err(|_| Refusal::Silent(shown.clone()))
        });
        connecting.await.unwrap_or_else(|_| Err(Refusal::TooSlow(shown.clone())))
    }
}
