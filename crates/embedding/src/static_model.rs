//! A static model: the mean of the table's vectors for the tokens of a text.

use crate::bpe::BytePairs;
use crate::files::CatalogueFile;
use crate::{EmbedderProblem, unit};

pub(crate) const ITEM: &str = "wordllama-256";
pub(crate) const DIMENSIONS: usize = 256;
const TOKENIZER: &str = "wordllama-256-tokenizer";

/// The files of the model, all present.
#[derive(Debug)]
pub(crate) struct StaticModelFiles {
    table: CatalogueFile,
    tokenizer: CatalogueFile,
}

impl StaticModelFiles {
    pub(crate) fn find(models: &std::path::Path) -> Option<Self> {
        let piece = |item| CatalogueFile::find(models, item);
        Some(Self { table: piece(ITEM)?, tokenizer: piece(TOKENIZER)? })
    }

    pub(crate) fn load(&self) -> Result<StaticModel, EmbedderProblem> {
        let pairs = BytePairs::parse(&self.tokenizer.read()?).ok_or_else(|| self.tokenizer.damaged())?;
        let table = numbers(&self.table.read()?).ok_or_else(|| self.table.damaged())?;
        Ok(StaticModel { pairs, table })
    }
}

/// The loaded model.
#[derive(Debug)]
pub(crate) struct StaticModel {
    pairs: BytePairs,
    /// Half-precision numbers as stored in the file, which takes half the memory.
    table: Vec<u16>,
}

impl StaticModel {
    pub(crate) fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; DIMENSIONS];
        for id in self.pairs.ids(text) {
            let row = self.table.chunks_exact(DIMENSIONS).nth(id as usize).unwrap_or_default();
            for (sum, &half) in sum.iter_mut().zip(row) {
                *sum += to_f32(half);
            }
        }
        unit(sum)
    }
}

/// Reads the numbers of a safetensors file that holds a single table of the right width.
fn numbers(file: &[u8]) -> Option<Vec<u16>> {
    let (length, rest) = file.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let header: serde_json::Value = serde_json::from_slice(rest.get(..length)?).ok()?;
    let tensor = &header["embedding.weight"];
    let is_valid =
        tensor["dtype"] == "F16" && tensor["shape"][1] == DIMENSIONS && tensor["data_offsets"][0] == 0;
    let (halves, odd) = rest[length..].as_chunks();
    (is_valid && odd.is_empty() && !halves.is_empty() && halves.len() % DIMENSIONS == 0)
        .then(|| halves.iter().map(|half| u16::from_le_bytes(*half)).collect())
}

/// Converts a half-precision number to `f32`.
fn to_f32(half: u16) -> f32 {
    let sign = if half >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (half >> 10 & 0x1f, f32::from(half & 0x3ff));
    match exponent {
        0 => sign * fraction * 2_f32.powi(-24),
        31 => 0.0,
        _ => sign * (1.0 + fraction / 1024.0) * 2_f32.powi(i32::from(exponent) - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_numbers_are_read() {
        for (half, expected) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7bff, 65504.0),
        ] {
            assert!((to_f32(half) - expected).abs() <= expected.abs() * 1e-6, "{half:x}");
        }
    }

    #[test]
    fn a_damaged_table_is_no_table() {
        let file = |header: &str, bytes: usize| {
            [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &vec![0; bytes]].concat()
        };
        let header = r#"{"embedding.weight":{"dtype":"F16","shape":[2,256],"data_offsets":[0,1024]}}"#;
        assert_eq!(numbers(&file(header, 1024)).map(|table| table.len()), Some(512));
        for bad in [
            file(header, 1023),
            file(header, 0),
            file("{}", 1024),
            file(&header.replace("F16", "F32"), 1024),
            file(&header.replace("256", "64"), 1024),
            u64::MAX.to_le_bytes().to_vec(),
            Vec::new(),
        ] {
            assert!(numbers(&bad).is_none());
        }
    }
}
