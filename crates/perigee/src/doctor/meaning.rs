//! Checks of semantic recall: the embedding model.

use std::time::Duration;

use config::VectorSource;
use model::{EmbeddingModel as _, Http};

use super::{Check, Patient};
use crate::terminal::{clean_line, sentence};

/// The time limit; a model server may have to load the model first.
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
        Ok(model) => try_out(&model).await,
        Err(problem) => by_words(&problem),
    }]
}

/// Embeds a text, since a damaged file only shows once the model runs.
async fn try_out(model: &embedding::Embedder) -> Check {
    match tokio::time::timeout(PATIENCE, model.embed(&["hello".to_owned()])).await {
        Ok(Ok(_)) => by_meaning(&model.name()),
        Ok(Err(problem)) => by_words(&problem),
        Err(_) => by_words(&"the embedding model does not answer: start Perigee again, or look at its log"),
    }
}

/// A warning that recall uses words only; `problem` says how to fix it.
fn by_words(problem: &dyn std::fmt::Display) -> Check {
    const LACK: &str = "There is no recall by meaning: what you ask for in other words than you told it in is often not found.";
    Check::warn("meaning", LACK, sentence(&clean_line(&problem.to_string())))
}

fn by_meaning(name: &str) -> Check {
    Check::ok("meaning", format!("She recalls by meaning, with {}.", clean_line(name)))
}
