use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// The first bytes of a page, in which it may declare its own encoding.
const HEAD: usize = 2_048;

/// Decodes a page, choosing the encoding by byte order mark, server header, declaration in the page, or guess. Returns
/// `None` if the content is not text.
pub(super) fn decode(bytes: &[u8], charset: Option<&str>, is_html: bool) -> Option<String> {
    let said = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let own = || if is_html { in_head(bytes) } else { None };
    let (encoding, _) =
        Encoding::for_bom(bytes).or_else(|| Some((said.or_else(own)?, 0))).unwrap_or_else(|| {
            let fits = match std::str::from_utf8(bytes) {
                Ok(_) => true,
                // A page that was cut off may end in the middle of a character.
                Err(error) => error.error_len().is_none(),
            };
            (if fits { UTF_8 } else { WINDOWS_1252 }, 0)
        });
    let (text, _, _) = encoding.decode(bytes);
    let strange =
        text.chars().take(4_096).filter(|c| matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1a}' | '\u{fffd}'));
    let looked_at = text.chars().take(4_096).count();
    (strange.count() * 20 <= looked_at).then(|| text.into_owned())
}

/// Returns the encoding in `<meta charset=…>`, in either of its two forms.
fn in_head(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(HEAD)].to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head).into_owned();
    head.match_indices("charset").find_map(|(place, word)| {
        let rest = head[place + word.len()..].trim_start().strip_prefix('=')?;
        let label: String = rest
            .trim_start()
            .trim_start_matches(['"', '\''])
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
            .collect();
        let encoding = Encoding::for_label(label.as_bytes())?;
        // The head was readable as ASCII, so a declaration of UTF-16 cannot be right.
        Some(if encoding.is_ascii_compatible() { encoding } else { UTF_8 })
    })
}
