//! The certificate by which a phone recognises this machine, and the authority that signs it.
//!
//! The authority is created once and stored in the data folder. It can sign only for machines in private networks: even
//! a stolen key cannot be used to impersonate a site on the internet.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use host::{FileError, atomic_write_private, private_dir};
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints, SanType,
};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use time::OffsetDateTime;

const AUTHORITY: &str = "authority.pem";
const KEY: &str = "authority.key";
/// Networks of homes and offices, loopback, and the address ranges that providers and tunnels share among their
/// clients.
const PRIVATE_NETWORKS: [(Ipv4Addr, u8); 6] = [
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
];
/// Name suffixes that no site on the internet has.
const PRIVATE_SUFFIXES: [&str; 5] = ["local", "lan", "home", "internal", "home.arpa"];
const DAY: Duration = Duration::from_hours(24);
const AUTHORITY_DAYS: u32 = 3650;
/// The validity of a certificate. Phones of some vendors reject longer ones.
const CERTIFICATE_DAYS: u32 = 390;

#[derive(Debug, Error)]
pub enum CertificateError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the certificate authority in {0} cannot be read: remove that folder, and a new one is created")]
    Unreadable(String),
    #[error("no certificate could be created: {0}")]
    Making(#[from] rcgen::Error),
    #[error("no certificate could be used: {0}")]
    Using(#[from] rustls::Error),
}

/// The certificate authority of this machine.
pub struct Authority {
    key: KeyPair,
    certificate: CertificateDer<'static>,
}

impl Authority {
    /// Loads the authority from the folder, or creates a new one.
    pub fn open(folder: &Path, now: OffsetDateTime) -> Result<Self, CertificateError> {
        let unreadable = || CertificateError::Unreadable(folder.display().to_string());
        let read = |name: &str| match std::fs::read_to_string(folder.join(name)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::new("read", folder.join(name), error)),
        };
        match (read(KEY)?, read(AUTHORITY)?) {
            (Some(key), Some(certificate)) => {
                let key = KeyPair::from_pem(&key).map_err(|_| unreadable())?;
                let certificate = from_pem(&certificate).ok_or_else(unreadable)?;
                Ok(Self { key, certificate })
            }
            // A key without a certificate is left by an interrupted start, so no client has installed the authority.
            (_, None) => Self::make(folder, now),
            (None, Some(_)) => Err(unreadable()),
        }
    }

    fn make(folder: &Path, now: OffsetDateTime) -> Result<Self, CertificateError> {
        let key = KeyPair::generate()?;
        let certificate = parameters(&key, now)?.self_signed(&key)?;
        private_dir(folder)?;
        // The key is written first, because a certificate without its key would be useless.
        atomic_write_private(folder.join(KEY), key.serialize_pem().as_bytes())?;
        atomic_write_private(folder.join(AUTHORITY), certificate.pem().as_bytes())?;
        Ok(Self { key, certificate: certificate.der().clone() })
    }

    /// Returns the certificate to install on phones.
    pub fn der(&self) -> &[u8] {
        &self.certificate
    }

    /// Returns the fingerprint in the form that phones display.
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::digest(&self.certificate);
        digest.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
    }

    /// Issues a certificate for a server with these addresses and names. Clients that trust this authority trust it.
    pub fn vouch(
        &self,
        addresses: &[Ipv4Addr],
        names: &[String],
        now: OffsetDateTime,
    ) -> Result<Arc<ServerConfig>, CertificateError> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(names)?;
        let itself = [Ipv4Addr::LOCALHOST];
        let addresses =
            itself.iter().chain(addresses).map(|address| SanType::IpAddress(IpAddr::V4(*address)));
        params.subject_alt_names.extend(addresses);
        params.distinguished_name = named("Perigee");
        params.not_before = now - DAY;
        params.not_after = now + DAY * CERTIFICATE_DAYS;
        params.is_ca = IsCa::ExplicitNoCa;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        let issuer = Issuer::new(parameters(&self.key, now)?, &self.key);
        let certificate = params.signed_by(&key, &issuer)?;
        let chain = vec![certificate.der().clone(), self.certificate.clone()];
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        Ok(Arc::new(config))
    }
}

/// Returns the authority's parameters. They depend only on the key and the time, because an issuer is identified by its
/// name and key.
fn parameters(key: &KeyPair, now: OffsetDateTime) -> Result<CertificateParams, CertificateError> {
    let mut params = CertificateParams::new(Vec::new())?;
    let id = host::hex(&Sha256::digest(key.public_key_raw())[..4]);
    params.distinguished_name = named(&format!("Perigee {id}"));
    params.not_before = now - DAY;
    params.not_after = now + DAY * AUTHORITY_DAYS;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let nets = PRIVATE_NETWORKS.map(|(net, bits)| CidrSubnet::from_v4_prefix(net.octets(), bits));
    let nets = nets.into_iter().map(GeneralSubtree::IpAddress);
    let names = PRIVATE_SUFFIXES.map(|name| GeneralSubtree::DnsName(name.to_owned()));
    params.name_constraints = Some(NameConstraints {
        permitted_subtrees: nets.chain(names).collect(),
        excluded_subtrees: Vec::new(),
    });
    Ok(params)
}

/// Returns true if a certificate may contain this address: a single address outside the constraints makes the whole
/// certificate invalid.
pub fn covers(address: Ipv4Addr) -> bool {
    PRIVATE_NETWORKS
        .iter()
        .any(|(net, bits)| (address.to_bits() ^ net.to_bits()) >> (32 - u32::from(*bits)) == 0)
}

/// Returns true if a certificate may contain this name.
pub fn covers_name(name: &str) -> bool {
    let is_name = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let within = |end: &&str| name.strip_suffix(*end).is_some_and(|before| before.ends_with('.'));
    name.split('.').all(is_name) && PRIVATE_SUFFIXES.iter().any(within)
}

fn named(name: &str) -> DistinguishedName {
    let mut distinguished = DistinguishedName::new();
    distinguished.push(DnType::CommonName, name);
    distinguished
}

fn from_pem(text: &str) -> Option<CertificateDer<'static>> {
    use rustls::pki_types::pem::PemObject as _;
    CertificateDer::from_pem_slice(text.as_bytes()).ok()
}

#[cfg(test)]
#[path = "certificate_tests.rs"]
mod tests;
