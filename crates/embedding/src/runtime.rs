//! ONNX Runtime: one library and one environment for the whole process.

use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;

use crate::EmbedderProblem;
use crate::files::CatalogueFile;

static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

/// Returns the environment, which the first caller creates. After a failure the next call tries again.
pub(crate) fn environment(library: &CatalogueFile) -> Result<Environment, EmbedderProblem> {
    let mut environment = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = &*environment {
        return Ok(environment.clone());
    }
    library.check()?;
    let builder =
        ort::init_from(&library.path).map_err(|error| EmbedderProblem::Runtime(error.to_string()))?;
    let made = builder
        .with_name("perigee")
        .with_telemetry(false)
        .build()
        .map_err(|error| EmbedderProblem::Runtime(error.to_string()))?;
    Ok(environment.insert(made).clone())
}
