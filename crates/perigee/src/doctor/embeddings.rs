//! Checks of semantic recall: the embedding model.

use std::time::Duration;

use config::VectorSource;
use model::{EmbeddingModel as _, Http};
use terminal::clean_line;
use tools::sentence;

use super::check::DoctorCheck;
use super::installation::Installation;

/// The time limit; a model server may have to load the model first.
const TIMEOUT: Duration = Duration::from_secs(30);

pub async fn checks(installation: &Installation) -> Vec<DoctorCheck> {
    let settings = installation.config.current();
    let (search, models) =
        (&settings.builtin_tools.vector_search, installation.config.paths().models.clone());
    let asks_server = match search.source {
        VectorSource::Off => {
            return vec![DoctorCheck::ok("meaning", "Memories are recalled by words alone, as configured.")];
        }
        VectorSource::Server => true,
        VectorSource::Auto => search.enabled,
        VectorSource::Embedded => false,
    };
    if asks_server {
        let http = Http::default();
        let asked = model::connect_embeddings(&http, search, &settings.llm);
        let problem = match tokio::time::timeout(TIMEOUT, asked).await {
            Ok(Ok(model)) => return vec![by_meaning(&model.name())],
            Ok(Err(error)) => sentence(&error.to_string()),
            Err(_) => format!(
                "The embedding server at {} does not respond.",
                clean_line(search.ollama_url.as_str())
            ),
        };
        if search.source == VectorSource::Server {
            let mend = "Until it works, memories are recalled by words alone. Start it, or: perigee config set \
                        builtin_tools.vector_search.source auto";
            return vec![DoctorCheck::warn("meaning", problem, mend)];
        }
    }
    vec![match embedding::open(&models) {
        Ok(model) => try_model(&model).await,
        Err(problem) => by_words(&problem),
    }]
}

/// Embeds a text, since a damaged file only shows once the model runs.
async fn try_model(model: &embedding::Embedder) -> DoctorCheck {
    match tokio::time::timeout(TIMEOUT, model.embed(&["hello".to_owned()])).await {
        Ok(Ok(_)) => by_meaning(&model.name()),
        Ok(Err(problem)) => by_words(&problem),
        Err(_) => by_words(&"the embedding model does not respond: restart Perigee, or look at its log"),
    }
}

/// A warning that recall uses words only; `problem` says how to fix it.
fn by_words(problem: &dyn std::fmt::Display) -> DoctorCheck {
    const MESSAGE: &str =
        "Memories are not recalled by meaning: what you ask for in other words is often not found.";
    DoctorCheck::warn("meaning", MESSAGE, sentence(&clean_line(&problem.to_string())))
}

fn by_meaning(name: &str) -> DoctorCheck {
    DoctorCheck::ok("meaning", format!("Memories are recalled by meaning, with {}.", clean_line(name)))
}
