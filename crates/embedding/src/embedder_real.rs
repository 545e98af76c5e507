//! Tests of the models themselves, with the weights that `cargo xtask test` fetches.

use std::path::{Path, PathBuf};

use model::EmbeddingModel as _;

use super::*;
use crate::files;

/// Returns the folder of models that the tests share.
pub(crate) fn models() -> PathBuf {
    let folder = std::env::var_os("PERIGEE_TEST_MODELS")
        .map(PathBuf::from)
        .or_else(|| host::cache_dir().map(|cache| cache.join("models")))
        .unwrap();
    let model = folder.join("all-minilm-l6-v2.onnx");
    assert!(model.exists(), "{} is missing: run `cargo xtask test`, which fetches it", model.display());
    folder
}

/// Creates a folder with links to the named files, and optionally one file with the given content.
fn folder_with(names: &[&str], changed: Option<(&str, &[u8])>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        std::os::unix::fs::symlink(models().join(name), folder.path().join(name)).unwrap();
    }
    if let Some((name, content)) = changed {
        host::atomic_write(folder.path().join(name), content).unwrap();
    }
    folder
}

async fn embed(folder: &Path, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
    let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
    open(folder).unwrap().embed(&texts).await
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

const LIBRARY: &str = if cfg!(target_os = "macos") { "libonnxruntime.dylib" } else { "libonnxruntime.so" };
const NATIVE: [&str; 2] = ["all-minilm-l6-v2.onnx", "all-minilm-l6-v2.tokenizer.json"];
const STATIC: [&str; 2] = ["wordllama-256.safetensors", "wordllama-256.tokenizer.json"];

#[tokio::test]
async fn the_numbers_are_those_of_the_reference() {
    let cases: [(&str, [f32; 8]); 5] = [
        ("My dog is called Max.", [0.0298, -0.049, 0.0449, 0.0152, -0.1656, -0.0345, 0.0246, 0.0235]),
        (
            "I moved to Lyon last spring and the flat is tiny.",
            [0.1249, 0.0117, -0.0136, 0.0313, 0.0335, -0.0156, -0.0714, 0.1096],
        ),
        ("日本語のテキスト", [-0.0002, 0.1397, 0.0664, -0.0264, -0.0755, 0.0389, 0.1229, 0.0711]),
        ("", [-0.1274, 0.0409, -0.0014, -0.016, 0.0539, 0.0089, 0.1179, 0.0048]),
        (
            "Which train goes to the sea?",
            [-0.0102, 0.0242, -0.0281, 0.0702, -0.0132, 0.0595, 0.0104, -0.0124],
        ),
    ];
    let vectors = embed(&models(), &cases.map(|(text, _)| text)).await.unwrap();
    for ((text, expected), vector) in cases.iter().zip(&vectors) {
        assert_eq!(vector.len(), 384);
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-4);
        let off = vector.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 0.02, "{text}: {:?}", &vector[..8]);
    }
}

#[tokio::test]
async fn what_means_the_same_is_near_in_both_models() {
    let texts =
        ["My dog is called Max.", "The name of my puppy is Max.", "The train to Lyon leaves at noon."];
    for folder in [models(), folder_with(&STATIC, None).keep()] {
        let vectors = embed(&folder, &texts).await.unwrap();
        let (same, other) = (cosine(&vectors[0], &vectors[1]), cosine(&vectors[0], &vectors[2]));
        assert!(same > other + 0.3, "{same} and {other}");
    }
}

#[tokio::test]
async fn a_text_has_one_vector_whatever_comes_with_it_and_after_a_rest() {
    let embedder = open(&models()).unwrap();
    let texts: Vec<String> = ["one", "two words", "one"].iter().map(ToString::to_string).collect();
    let vectors = embedder.embed(&texts).await.unwrap();
    assert_eq!(vectors[0], vectors[2]);
    embedder.unload().await;
    assert_eq!(embedder.embed(&texts[..1]).await.unwrap()[0], vectors[0]);
    assert!(embedder.embed(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn without_the_library_the_static_model_does() {
    let folder = folder_with(&[NATIVE, STATIC].concat(), None);
    let embedder = open(folder.path()).unwrap();
    assert_eq!((embedder.name().as_str(), embedder.dimensions()), ("wordllama-256", 256));
    let texts = ["hello", "", "🙂 ありがとう", &"long ".repeat(50_000)].map(str::to_owned);
    for vector in embedder.embed(&texts).await.unwrap() {
        assert_eq!(vector.len(), 256);
        assert!(vector.iter().all(|number| number.is_finite()));
    }
}

#[tokio::test]
async fn damage_is_told_in_words() {
    let whole = std::fs::read(models().join(LIBRARY)).unwrap();
    let flipped: Vec<u8> =
        whole.iter().enumerate().map(|(at, byte)| if at == 4_000_000 { !byte } else { *byte }).collect();
    for (name, content) in [
        (LIBRARY, &whole[..whole.len() / 2]),
        (LIBRARY, &flipped),
        (LIBRARY, b"not a library"),
        (LIBRARY, b""),
        (NATIVE[0], b"not a model"),
        (NATIVE[1], b"{}"),
        (STATIC[0], b""),
        (STATIC[1], b"{\"model\":{}}"),
    ] {
        let others: Vec<&str> = match name {
            LIBRARY => NATIVE.to_vec(),
            name if STATIC.contains(&name) => STATIC.to_vec(),
            _ => [&NATIVE[..], &[LIBRARY]].concat(),
        };
        let others: Vec<&str> = others.into_iter().filter(|other| *other != name).collect();
        // A library that another test loaded stays loaded, so the library file is checked directly.
        let folder = folder_with(&others, Some((name, content)));
        let said = if name == LIBRARY {
            files::CatalogueFile::find(folder.path(), "onnxruntime").unwrap().check().unwrap_err().to_string()
        } else {
            embed(folder.path(), &["hello"]).await.unwrap_err().to_string()
        };
        assert!(said.contains("is damaged: delete it and download it again"), "{name}: {said}");
    }
}
