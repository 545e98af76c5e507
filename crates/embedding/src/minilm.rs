//! all-MiniLM-L6-v2 in ONNX Runtime.

use ort::session::Session;
use ort::session::builder::GraphOptimizationLevel;
use ort::value::TensorRef;

use crate::files::CatalogueFile;
use crate::wordpiece::WordPieces;
use crate::{EmbedderProblem, runtime, unit};

pub(crate) const ITEM: &str = "all-minilm-l6-v2";
pub(crate) const DIMENSIONS: usize = 384;
const TOKENIZER: &str = "all-minilm-l6-v2-tokenizer";
const RUNTIME: &str = "onnxruntime";

/// The files of the model, all present.
#[derive(Debug)]
pub(crate) struct MiniLmFiles {
    model: CatalogueFile,
    tokenizer: CatalogueFile,
    runtime: CatalogueFile,
}

impl MiniLmFiles {
    pub(crate) fn find(models: &std::path::Path) -> Option<Self> {
        let piece = |item| CatalogueFile::find(models, item);
        Some(Self { model: piece(ITEM)?, tokenizer: piece(TOKENIZER)?, runtime: piece(RUNTIME)? })
    }

    pub(crate) fn load(&self) -> Result<MiniLm, EmbedderProblem> {
        let environment = runtime::environment(&self.runtime)?;
        let pieces = WordPieces::parse(&self.tokenizer.read()?).ok_or_else(|| self.tokenizer.damaged())?;
        let model = self.model.read()?;
        let session = session(&environment, &model).map_err(failed)?;
        Ok(MiniLm { pieces, session })
    }
}

/// Builds a session with one thread, which leaves the other cores free for other work.
fn session(environment: &ort::environment::Environment, model: &[u8]) -> Result<Session, ort::Error> {
    Session::builder(environment)?
        .with_intra_threads(1)?
        .with_inter_threads(1)?
        .with_optimization_level(GraphOptimizationLevel::Level3)?
        .commit_from_memory(model)
}

/// The loaded model.
#[derive(Debug)]
pub(crate) struct MiniLm {
    pieces: WordPieces,
    session: Session,
}

impl MiniLm {
    /// Embeds a single text: the results of an int8 model depend on the other texts in a batch.
    pub(crate) fn embed(&mut self, text: &str) -> Result<Vec<f32>, EmbedderProblem> {
        let ids = self.pieces.ids(text);
        self.run(&ids)
            .map_err(failed)?
            .ok_or_else(|| EmbedderProblem::Failed("its output is not one vector per token".to_owned(), ITEM))
    }

    fn run(&mut self, ids: &[i64]) -> Result<Option<Vec<f32>>, ort::Error> {
        let shape = [1, ids.len()];
        let (ones, zeros) = (vec![1_i64; ids.len()], vec![0_i64; ids.len()]);
        let outputs = self.session.run(ort::inputs![
            "input_ids" => TensorRef::from_array_view((shape, ids))?,
            "attention_mask" => TensorRef::from_array_view((shape, ones.as_slice()))?,
            "token_type_ids" => TensorRef::from_array_view((shape, zeros.as_slice()))?,
        ])?;
        let (shape, numbers) = outputs[0].try_extract_tensor::<f32>()?;
        let is_valid = shape.last() == Some(&384) && numbers.len() == ids.len() * DIMENSIONS;
        Ok(is_valid.then(|| mean(numbers)))
    }
}

/// Averages the vectors of all tokens and scales the mean to length one.
fn mean(numbers: &[f32]) -> Vec<f32> {
    let mut sum = vec![0.0; DIMENSIONS];
    for token in numbers.chunks_exact(DIMENSIONS) {
        for (sum, number) in sum.iter_mut().zip(token) {
            *sum += number;
        }
    }
    unit(sum)
}

fn failed(error: impl std::fmt::Display) -> EmbedderProblem {
    EmbedderProblem::Failed(error.to_string(), ITEM)
}
