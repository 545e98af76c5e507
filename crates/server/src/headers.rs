use axum::extract::Request;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_DNS_PREFETCH_CONTROL,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

/// A nonce that permits one page's own styles, and no others.
pub struct Nonce(String);

impl Nonce {
    pub fn random() -> Self {
        Self(host::hex(&host::random_bytes::<16>()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Sets the policy of the server's own pages: they load only from this server.
pub fn set_policy(headers: &mut HeaderMap, nonce: Option<&Nonce>) {
    let styles = nonce.map(|nonce| format!(" 'nonce-{}'", nonce.as_str())).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'{styles}; style-src-attr 'unsafe-inline'; \
         img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self' blob:; worker-src 'self' blob:; \
         font-src 'self'; manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
}

/// Adds the headers that every response has.
pub async fn guard(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        set_policy(headers, None);
    }
    // Framing is denied unless the response itself allows it for the server's own pages.
    let framed = headers
        .get(CONTENT_SECURITY_POLICY)
        .is_some_and(|policy| policy.to_str().is_ok_and(|policy| policy.contains("frame-ancestors 'self'")));
    let fixed: [(HeaderName, &str); 6] = [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, if framed { "SAMEORIGIN" } else { "DENY" }),
        (REFERRER_POLICY, "no-referrer"),
        // DNS prefetching of links would reveal to others what is being read.
        (X_DNS_PREFETCH_CONTROL, "off"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
