use axum::extract::FromRequestParts;
use axum::http::Extensions;
use axum::http::request::Parts;

/// The path by which a request came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RequestTransport {
    /// Plain HTTP, from this machine only.
    #[default]
    Here,
    /// TLS, from the network.
    Network,
}

impl RequestTransport {
    pub fn scheme(self) -> &'static str {
        match self {
            Self::Here => "http://",
            Self::Network => "https://",
        }
    }

    pub fn of(extensions: &Extensions) -> Self {
        extensions.get().copied().unwrap_or_default()
    }
}

impl<S: Sync> FromRequestParts<S> for RequestTransport {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.extensions))
    }
}
