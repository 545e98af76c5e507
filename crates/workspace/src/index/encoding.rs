//! A compact binary encoding of outlines: variable-length numbers and length-prefixed texts.

use symbols::{Definition, Reference, SourceOutline, SymbolKind};

/// Returns the format version of the stored index. It changes with [`symbols::VERSION`] and must be raised when the
/// splitting of words or the encoding of outlines changes; an index in another format is rebuilt.
pub fn format_version() -> String {
    const FORMAT: u32 = 1;
    format!("{FORMAT}.{}", symbols::VERSION)
}

pub fn encode(outline: &SourceOutline) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, outline.definitions.len());
    for Definition { name, kind, lines: (first, last), signature, container } in &outline.definitions {
        text(&mut out, name);
        out.push(code_of(*kind));
        number(&mut out, *first as usize);
        number(&mut out, last.saturating_sub(*first) as usize);
        text(&mut out, signature);
        text(&mut out, container.as_deref().unwrap_or_default());
    }
    number(&mut out, outline.references.len());
    for Reference { name, line, count, member } in &outline.references {
        text(&mut out, name);
        number(&mut out, *line as usize);
        number(&mut out, usize::from(*count));
        out.push(u8::from(*member));
    }
    out
}

/// Decodes an outline. Returns `None` if the bytes were not written by [`encode`].
pub fn decode(bytes: &[u8]) -> Option<SourceOutline> {
    let mut reader = Reader { rest: bytes };
    let mut outline = SourceOutline::default();
    for _ in 0..reader.number()? {
        let name = reader.text()?.into();
        let kind = kind_of(reader.byte()?)?;
        let first = reader.number()?;
        let last = first.checked_add(reader.number()?)?;
        let signature = reader.text()?.into();
        let container = Some(reader.text()?).filter(|name| !name.is_empty()).map(Into::into);
        outline.definitions.push(Definition { name, kind, lines: (first, last), signature, container });
    }
    for _ in 0..reader.number()? {
        let name = reader.text()?.into();
        let (line, count) = (reader.number()?, u16::try_from(reader.number()?).ok()?);
        outline.references.push(Reference { name, line, count, member: reader.byte()? != 0 });
    }
    reader.rest.is_empty().then_some(outline)
}

const KINDS: [SymbolKind; 14] = [
    SymbolKind::Function,
    SymbolKind::Method,
    SymbolKind::Class,
    SymbolKind::Struct,
    SymbolKind::Enum,
    SymbolKind::Trait,
    SymbolKind::Interface,
    SymbolKind::Type,
    SymbolKind::Constant,
    SymbolKind::Variable,
    SymbolKind::Module,
    SymbolKind::Macro,
    SymbolKind::Implementation,
    SymbolKind::Test,
];

fn code_of(kind: SymbolKind) -> u8 {
    KINDS.iter().position(|known| *known == kind).and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
}

fn kind_of(code: u8) -> Option<SymbolKind> {
    KINDS.get(usize::from(code)).copied()
}

fn number(out: &mut Vec<u8>, mut number: usize) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.number()? as usize;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_comes_back_as_it_was() {
        let definition = |(at, kind): (u32, &SymbolKind)| Definition {
            name: format!("größe_{at}").into(),
            kind: *kind,
            lines: (at * 77, at * 90_000),
            signature: format!("fn größe_{at}(x: &str)").into(),
            container: (at % 2 == 0).then(|| "Outer".into()),
        };
        let outline = SourceOutline {
            definitions: (1..).zip(&KINDS).map(definition).collect(),
            references: vec![
                Reference { name: "used".into(), line: u32::MAX, count: u16::MAX, member: false },
                Reference { name: "called".into(), line: 1, count: 300, member: true },
            ],
        };
        let bytes = encode(&outline);
        assert_eq!(decode(&bytes), Some(outline));
        assert_eq!(decode(&encode(&SourceOutline::default())), Some(SourceOutline::default()));
        for end in 0..bytes.len() {
            assert_eq!(decode(&bytes[..end]), None, "cut after {end}");
        }
        assert_eq!(decode(&[bytes.as_slice(), &[0]].concat()), None, "with something behind it");
        assert_eq!(decode(&[0xff; 40]), None);
    }
}
