use std::path::PathBuf;

use model::ModelError;
use thiserror::Error;

/// The reason why no embeddings can be computed. The messages are meant for users.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EmbedderProblem {
    #[error("there is no embedding model here yet: get one with `perigee models pull {0}`")]
    Missing(&'static str),
    #[error("{} cannot be read ({reason}): download it again with `perigee models pull {item}`", path.display())]
    Unreadable { path: PathBuf, reason: String, item: &'static str },
    #[error("{} is damaged: delete it and download it again with `perigee models pull {item}`", path.display())]
    Damaged { path: PathBuf, item: &'static str },
    #[error(
        "ONNX Runtime could not be started: {0}. Download it again with `perigee models pull onnxruntime`"
    )]
    Runtime(String),
    #[error(
        "the embedding model could not be used: {0}. Try again, or download it again with `perigee models pull {1}`"
    )]
    Failed(String, &'static str),
}

impl From<EmbedderProblem> for ModelError {
    fn from(problem: EmbedderProblem) -> Self {
        match &problem {
            EmbedderProblem::Missing(item) => {
                Self::None(format!("get one with `perigee models pull {item}`"))
            }
            _ => Self::Failed(problem.to_string()),
        }
    }
}
