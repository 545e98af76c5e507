use std::io::Cursor;

use super::*;

fn text(value: &str) -> Vec<u8> {
    [&(value.len() as u64).to_le_bytes(), value.as_bytes()].concat()
}

/// A value in file format, preceded by its type.
#[derive(Clone)]
struct Written(Vec<u8>);

impl Written {
    fn of(kind: u32, bytes: &[u8]) -> Self {
        Self([&kind.to_le_bytes(), bytes].concat())
    }

    fn text(value: &str) -> Self {
        Self::of(8, &text(value))
    }

    fn truth(value: bool) -> Self {
        Self::of(7, &[u8::from(value)])
    }

    fn number(value: u32) -> Self {
        Self::of(4, &value.to_le_bytes())
    }

    fn array(kind: u32, count: u64, bytes: &[u8]) -> Self {
        Self::of(9, &[&kind.to_le_bytes(), &count.to_le_bytes()[..], bytes].concat())
    }
}

/// Creates the header of a file without tensors.
fn file(entries: &[(&str, Written)]) -> Vec<u8> {
    let mut bytes = [&MAGIC[..], &3_u32.to_le_bytes(), &0_u64.to_le_bytes()].concat();
    bytes.extend((entries.len() as u64).to_le_bytes());
    for (key, value) in entries {
        bytes.extend(text(key));
        bytes.extend(&value.0);
    }
    bytes
}

fn verdict(bytes: &[u8]) -> Option<&'static str> {
    Metadata::read(Cursor::new(bytes)).ok()?.unsupported_kind()
}

fn architecture(name: &str) -> (&'static str, Written) {
    ("general.architecture", Written::text(name))
}

#[test]
fn a_model_that_cannot_talk_is_known_by_its_head() {
    let vocabulary = ("tokenizer.ggml.model", Written::text("gpt2"));
    let talks = |extra: (&'static str, Written)| vec![architecture("llama"), vocabulary.clone(), extra];
    let words = [text("hello"), text(""), text("world")].concat();
    let cases = [
        (vec![architecture("llama"), vocabulary.clone()], None),
        (vec![architecture("pangu-embedded")], None),
        (vec![architecture("bert")], Some(EMBEDDING)),
        (vec![architecture("nomic-bert-moe")], Some(EMBEDDING)),
        (vec![architecture("t5")], Some("a translation model")),
        (vec![architecture("llada")], Some("a diffusion model")),
        (vec![architecture("clip")], Some("only the picture part of another model")),
        (talks(("llama.attention.causal", Written::truth(true))), None),
        (talks(("llama.attention.causal", Written::truth(false))), Some(EMBEDDING)),
        (talks(("other.attention.causal", Written::truth(false))), None),
        (talks(("llama.pooling_type", Written::number(0))), None),
        (talks(("llama.pooling_type", Written::number(3))), Some(EMBEDDING)),
        (talks(("llama.pooling_type", Written::of(5, &(-1_i32).to_le_bytes()))), None),
        (
            vec![architecture("llama"), ("tokenizer.ggml.model", Written::text("no_vocab"))],
            Some("a model without a vocabulary"),
        ),
        // Unneeded values are skipped, whatever their type.
        (
            vec![
                ("a", Written::array(8, 3, &words)),
                ("b", Written::array(6, 2, &[0; 8])),
                ("c", Written::of(12, &[0; 8])),
                ("d", Written::text(&"long ".repeat(1000))),
                ("bert.attention.causal", Written::truth(false)),
                architecture("bert"),
            ],
            Some(EMBEDDING),
        ),
        (vec![vocabulary.clone()], None),
        (vec![("general.architecture", Written::number(7))], None),
    ];
    for (number, (entries, expected)) in cases.into_iter().enumerate() {
        assert_eq!(verdict(&file(&entries)), expected, "case {number}");
    }
}

#[test]
fn a_damaged_or_hostile_head_is_left_to_llama_cpp() {
    let good =
        file(&[("words", Written::array(8, 2, &[text("a"), text("b")].concat())), architecture("bert")]);
    for cut in 0..good.len() {
        assert_eq!(verdict(&good[..cut]), None, "cut at {cut}");
    }
    let endless = u64::MAX.to_le_bytes();
    let hostile = [
        vec![("endless text", Written::of(8, &endless)), architecture("bert")],
        vec![("endless words", Written::array(8, u64::MAX, &[])), architecture("bert")],
        vec![("endless numbers", Written::array(10, u64::MAX, &[])), architecture("bert")],
        vec![("past the end", Written::array(0, 1 << 40, &[])), architecture("bert")],
        vec![("arrays in arrays", Written::array(9, 1, &[])), architecture("bert")],
        vec![("no such kind", Written::of(99, &[])), architecture("bert")],
    ];
    for entries in hostile {
        assert_eq!(verdict(&file(&entries)), None, "{}", entries[0].0);
    }
    assert_eq!(verdict(b"<html>not a model</html>"), None);
}
