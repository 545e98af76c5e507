//! A compact binary encoding of outlines: variable-length numbers and length-prefixed texts.

use symbols::{Definition, Kind, Outline, Reference};

/// Returns the format version of the stored index. It changes with [`symbols::VERSION`] and must be raised when the
/// splitting of words or the encoding of outlines changes; an index in another format is rebuilt.
pub fn form() -> String {
    const FORM: u32 = 1;
    format!("{FORM}.{}", symbols::VERSION)
}

pub fn write(outline: &Outline) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, outline.definitions.len());
    for Definition { name, kind, lines: (first, last), signature, container } in &outline.definitions {
        text(&mut out, name);
        out.push(mark(*kind));
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

/// Decodes an outline. Returns `None` if the bytes were not written by [`write`].
pub fn read(bytes: &[u8]) -> Option<Outline> {
    let mut reader = Reader { rest: bytes };
    let mut outline = Outline::default();
    for _ in 0..reader.number()? {
        let name = reader.text()?.into();
        let kind = kind(reader.byte()?)?;
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

const KINDS: [Kind; 14] = [
    Kind::Function,
    Kind::Method,
    Kind::Class,
    Kind::Struct,
    Kind::Enum,
    Kind::Trait,
    Kind::Interface,
    Kind::Type,
    Kind::Constant,
    Kind::Variable,
    Kind::Module,
    Kind::Macro,
    Kind::Implementation,
    Kind::Test,
];

fn mark(kind: Kind) -> u8 {
    KINDS.iter().position(|known| *known == kind).and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
}

fn kind(mark: u8) -> Option<Kind> {
    KINDS.get(usize::from(mark)).copied()
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
        let definition = |(at, kind): (u32, &Kind)| Definition {
            name: format!("größe_{at}").into(),
            kind: *kind,
            lines: (at * 77, at * 90_000),
            signature: format!("fn größe_{at}(x: &str)").into(),
            container: (at % 2 == 0).then(|| "Outer".into()),
        };
        let outline = Outline {
            definitions: (1..).zip(&KINDS).map(definition).collect(),
            references: vec![
                Reference { name: "used".into(), line: u32::MAX, count: u16::MAX, member: false },
                Reference { name: "called".into(), line: 1, count: 300, member: true },
            ],
        };
        let bytes = write(&outline);
        assert_eq!(read(&bytes), Some(outline));
        assert_eq!(read(&write(&Outline::default())), Some(Outline::default()));
        for end in 0..bytes.len() {
            assert_eq!(read(&bytes[..end]), None, "cut after {end}");
        }
        assert_eq!(read(&[bytes.as_slice(), &[0]].concat()), None, "with something behind it");
        assert_eq!(read(&[0xff; 40]), None);
    }
}
