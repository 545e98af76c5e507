use std::fmt::Write as _;

/// Percent-encodes a name for use in the path or the query of a URL.
pub fn in_url(name: &str) -> String {
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// Appends a query to a path.
pub fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let pairs: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}={}", in_url(name), in_url(value))).collect();
    format!("{path}?{}", pairs.join("&"))
}
