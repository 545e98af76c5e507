//! Metadata of GGUF files, read before llama.cpp loads them: some files are not chat models, and llama.cpp aborts the
//! whole process when such a model is asked to generate text.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

const MAGIC: &[u8; 4] = b"GGUF";
/// The maximum length of a text. Longer ones (templates, licences) are not needed here.
const LONGEST_TEXT: u64 = 1024;
/// Architectures whose output is something other than the next token.
const CANNOT_TALK: &[(&[&str], &str)] = &[
    (
        &[
            "bert",
            "modern-bert",
            "nomic-bert",
            "nomic-bert-moe",
            "neo-bert",
            "jina-bert-v2",
            "jina-bert-v3",
            "eurobert",
            "t5encoder",
            "gemma-embedding",
            "llama-embed",
        ],
        EMBEDDING,
    ),
    (&["t5"], "a translation model"),
    (&["dream", "llada", "llada-moe", "rnd1"], "a diffusion model"),
    (&["wavtokenizer-dec", "qwen3tts", "pockettts"], "a speech model"),
    (&["clip"], "only the picture part of another model"),
    (&["eagle3", "dflash", "gemma4-assistant"], "only the draft part of another model"),
];
const EMBEDDING: &str = "an embedding model";
const NO_VOCABULARY: &str = "a model without a vocabulary";

/// Returns a description of the file if it is not a chat model. A file that cannot be parsed here is left to llama.cpp,
/// which rejects it.
pub fn unsupported_kind(path: &Path) -> Option<&'static str> {
    Metadata::read(File::open(path).ok()?).ok()?.unsupported_kind()
}

#[derive(Debug, PartialEq)]
enum Value {
    Text(String),
    Number(i64),
}

/// The short texts, integers and booleans (as one or zero) in the header of a file.
struct Metadata(HashMap<String, Value>);

impl Metadata {
    fn read(source: impl Read + Seek) -> io::Result<Self> {
        let mut source = Source(BufReader::with_capacity(1 << 16, source));
        if source.bytes()? != *MAGIC {
            return Err(invalid_data());
        }
        let _version = source.u32()?;
        let _tensors = source.u64()?;
        let mut values = HashMap::new();
        for _ in 0..source.u64()? {
            let key = source.text()?;
            let kind = source.u32()?;
            if let (Some(key), Some(value)) = (key, source.value(kind)?) {
                values.insert(key, value);
            }
        }
        Ok(Self(values))
    }

    fn unsupported_kind(&self) -> Option<&'static str> {
        let architecture = self.text("general.architecture")?;
        let listed = CANNOT_TALK.iter().find(|(names, _)| names.contains(&architecture));
        if let Some(&(_, what)) = listed {
            return Some(what);
        }
        let value_of = |key: &str| self.number(&format!("{architecture}.{key}"));
        // Pooling combines a whole text into one vector; zero and negative values mean none.
        if value_of("attention.causal") == Some(0)
            || value_of("pooling_type").is_some_and(|pooling| pooling > 0)
        {
            return Some(EMBEDDING);
        }
        matches!(self.text("tokenizer.ggml.model"), Some("none" | "no_vocab")).then_some(NO_VOCABULARY)
    }

    fn text(&self, key: &str) -> Option<&str> {
        match self.0.get(key)? {
            Value::Text(text) => Some(text),
            Value::Number(_) => None,
        }
    }

    fn number(&self, key: &str) -> Option<i64> {
        match self.0.get(key)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        }
    }
}

/// A reader that trusts lengths in the file only as far as the file goes.
struct Source<R>(BufReader<R>);

impl<R: Read + Seek> Source<R> {
    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> io::Result<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> io::Result<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        self.0.seek_relative(i64::try_from(bytes).map_err(|_| invalid_data())?)
    }

    /// Reads a text. Skips it and returns `None` if it is too long or not UTF-8.
    fn text(&mut self) -> io::Result<Option<String>> {
        let length = self.u64()?;
        if length > LONGEST_TEXT {
            self.skip(length)?;
            return Ok(None);
        }
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| invalid_data())?];
        self.0.read_exact(&mut bytes)?;
        Ok(String::from_utf8(bytes).ok())
    }

    /// Reads a value. Skips it and returns `None` if its type is not needed.
    fn value(&mut self, kind: u32) -> io::Result<Option<Value>> {
        let number = match kind {
            0 | 7 => self.bytes().map(u8::from_le_bytes)?.into(),
            1 => self.bytes().map(i8::from_le_bytes)?.into(),
            2 => self.bytes().map(u16::from_le_bytes)?.into(),
            3 => self.bytes().map(i16::from_le_bytes)?.into(),
            4 => self.u32()?.into(),
            5 => self.bytes().map(i32::from_le_bytes)?.into(),
            11 => self.bytes().map(i64::from_le_bytes)?,
            8 => return Ok(self.text()?.map(Value::Text)),
            9 => {
                let (kind, count) = (self.u32()?, self.u64()?);
                self.skip_array(kind, count)?;
                return Ok(None);
            }
            _ => {
                self.skip(size_of_number(kind)?)?;
                return Ok(None);
            }
        };
        Ok(Some(Value::Number(number)))
    }

    fn skip_array(&mut self, kind: u32, count: u64) -> io::Result<()> {
        if kind != 8 {
            return self.skip(count.checked_mul(size_of_number(kind)?).ok_or_else(invalid_data)?);
        }
        for _ in 0..count {
            let length = self.u64()?;
            self.skip(length)?;
        }
        Ok(())
    }
}

fn size_of_number(kind: u32) -> io::Result<u64> {
    match kind {
        0 | 1 | 7 => Ok(1),
        2 | 3 => Ok(2),
        4..=6 => Ok(4),
        10..=12 => Ok(8),
        _ => Err(invalid_data()),
    }
}

fn invalid_data() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

#[cfg(test)]
#[path = "gguf_tests.rs"]
mod tests;
