//! Converts the bytes of a file to text and back. Unchanged parts keep their exact bytes.

use thiserror::Error;

/// The encoding of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    /// Windows-1252, with one byte per character.
    Western,
}

/// A file that can be edited: its text and encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// The text without its byte order mark.
    pub text: String,
    pub encoding: Encoding,
    pub has_bom: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TextError {
    #[error("it is not a text file")]
    Binary,
    #[error("`{0}` cannot be written in the file's encoding (Windows-1252). Convert the file to UTF-8 first")]
    Unwritable(char),
}

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const LE_MARK: &[u8] = b"\xff\xfe";
const BE_MARK: &[u8] = b"\xfe\xff";

/// The characters of Windows-1252 from 0x80 to 0x9f. Five are unassigned and stand for themselves.
const WESTERN: [u16; 32] = [
    0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8d, 0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161,
    0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
];

impl TextFile {
    pub fn read(bytes: &[u8]) -> Result<Self, TextError> {
        for (mark, encoding) in [(LE_MARK, Encoding::Utf16Le), (BE_MARK, Encoding::Utf16Be)] {
            if let Some(rest) = bytes.strip_prefix(mark) {
                let text = utf16(rest, encoding).ok_or(TextError::Binary)?;
                return Ok(Self { text, encoding, has_bom: true });
            }
        }
        let rest = bytes.strip_prefix(UTF8_MARK);
        let has_bom = rest.is_some();
        let bytes = rest.unwrap_or(bytes);
        if bytes.contains(&0) {
            return Err(TextError::Binary);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { text: text.to_owned(), encoding: Encoding::Utf8, has_bom }),
            Err(_) if has_bom || !looks_western(bytes) => Err(TextError::Binary),
            Err(_) => {
                let text = bytes.iter().map(|&byte| western(byte)).collect();
                Ok(Self { text, encoding: Encoding::Western, has_bom })
            }
        }
    }

    /// Encodes another text like this file, with the same byte order mark.
    pub fn write(&self, text: &str) -> Result<Vec<u8>, TextError> {
        let units = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        let (mark, body) = match self.encoding {
            Encoding::Utf8 => (UTF8_MARK, text.as_bytes().to_vec()),
            Encoding::Utf16Le => (LE_MARK, units(u16::to_le_bytes)),
            Encoding::Utf16Be => (BE_MARK, units(u16::to_be_bytes)),
            Encoding::Western => {
                let byte = |letter: char| from_western(letter).ok_or(TextError::Unwritable(letter));
                (&[][..], text.chars().map(byte).collect::<Result<_, _>>()?)
            }
        };
        Ok(if self.has_bom { [mark, &body].concat() } else { body })
    }
}

fn utf16(bytes: &[u8], encoding: Encoding) -> Option<String> {
    let (units, rest) = bytes.as_chunks::<2>();
    let unit = |pair: &[u8; 2]| match encoding {
        Encoding::Utf16Be => u16::from_be_bytes(*pair),
        _ => u16::from_le_bytes(*pair),
    };
    let text = String::from_utf16(&units.iter().map(unit).collect::<Vec<u16>>()).ok()?;
    (rest.is_empty() && !text.contains('\0')).then_some(text)
}

/// Returns true if at least three quarters of the bytes are ASCII and there are no unusual control characters.
fn looks_western(bytes: &[u8]) -> bool {
    let high = bytes.iter().filter(|byte| **byte >= 0x80).count();
    let strange =
        bytes.iter().any(|byte| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b));
    !strange && high * 4 <= bytes.len()
}

fn western(byte: u8) -> char {
    match byte {
        0x80..=0x9f => char::from_u32(WESTERN[usize::from(byte - 0x80)].into()).unwrap_or('?'),
        _ => char::from(byte),
    }
}

fn from_western(letter: char) -> Option<u8> {
    let code = u32::from(letter);
    if let Some(place) = WESTERN.iter().position(|&known| u32::from(known) == code) {
        return u8::try_from(0x80 + place).ok();
    }
    u8::try_from(code).ok().filter(|byte| !(0x80..=0x9f).contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back_as_it_was() {
        let utf16: Vec<u8> = LE_MARK
            .iter()
            .copied()
            .chain("gr\u{fc}n \u{1f319}\r\n".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        let every: Vec<u8> = b"a long line of plain letters, so that there are few others: "
            .repeat(20)
            .into_iter()
            .chain(0x80..=0xff)
            .collect();
        for (bytes, encoding) in [
            (&b"plain\n"[..], Encoding::Utf8),
            (b"", Encoding::Utf8),
            ("\u{feff}marked\r\n".as_bytes(), Encoding::Utf8),
            (&utf16, Encoding::Utf16Le),
            (b"\xfe\xff\0a\0\n", Encoding::Utf16Be),
            (b"caf\xe9 \x93quoted\x94 and more\n", Encoding::Western),
            (&every, Encoding::Western),
        ] {
            let file = TextFile::read(bytes).unwrap();
            assert_eq!(file.encoding, encoding);
            assert_eq!(file.write(&file.text).unwrap(), bytes);
        }
    }

    #[test]
    fn what_is_no_text_is_not_read_as_one() {
        for bytes in
            [&b"a\0b"[..], b"\xff\xd8\xff\xe0\x10JFIF", b"\xff\xfea", b"\xef\xbb\xbf\xff", b"\xff\xfe\0\0"]
        {
            assert_eq!(TextFile::read(bytes), Err(TextError::Binary), "{bytes:?}");
        }
        let western = TextFile::read(b"caf\xe9 and more words\n").unwrap();
        assert_eq!(western.write("\u{1f319}"), Err(TextError::Unwritable('\u{1f319}')));
    }
}
