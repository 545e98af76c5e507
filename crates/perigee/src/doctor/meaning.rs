//! Recall by meaning: whether there is a model that makes vectors.

use std::time::Duration;

use config::VectorSource;
use model::Http;

use super::{Check, Patient};
use crate::terminal::{clean_line, sentence};

/// A server may have to load the model first.
const PATIENCE: Duration = Duration::from_secs(30);

pub async fn checks(patient: &Patient) -> Vec<Check> {
    let settings = patient.config.current();
    let (search, models) = (&settings.builtin_tools.vector_search, patient.config.paths().models.clone());
    let asks_server = match search.source {
        VectorSource::Off => {
            return vec![Check::ok("meaning", "She recalls by words alone, as you have set it.")];
        }
        VectorSource::Server => true,
        VectorSource::Auto => search.enabled,
        VectorSource::Embedded => false,
    };
    if asks_server {
        let http = Http::default();
        let asked = model::connect_embeddings(&http, search, &settings.llm);
        let problem = match tokio::time::timeout(PATIENCE, asked).await {
            Ok(Ok(model)) => return vec![by_meaning(&model.name())],
            Ok(Err(error)) => sentence(&error.to_string()),
            Err(_) => format!(
                "The server for vectors at {} does not answer.",
                clean_line(search.ollama_url.as_str())
            ),
        };
        if search.source == VectorSource::Server {
            let mend = "Until it does, she recalls by words alone. Start it, or: perigee config set \
                        builtin_tools.vector_search.source auto";
            return vec![Check::warn("meaning", problem, mend)];
        }
    }
    vec![match embedding::open(&models) {
        Ok(model) => by_meaning(&model::EmbeddingModel::name(&model)),
        Err(problem) => Check::ok("meaning", format!("She recalls by words alone: {problem}.")),
    }]
}

fn by_meaning(name: &str) -> Check {
    Check::ok("meaning", format!("She recalls by meaning, with {}.", clean_line(name)))
}
