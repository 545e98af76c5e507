//! Finds files with a meaning similar to a request, by embedding vectors of their paths and definitions.

use std::sync::Arc;

use memory::Memory;
use workspace::relevance::SimilaritySearch;
use workspace::{WorkspacePath, WorkspaceSession};

/// The number of files that are embedded in one batch.
const BATCH: usize = 64;
/// The number of files that are embedded for one request, so that it does not wait for a whole large folder. The next
/// request continues.
const MOST_AT_ONCE: usize = 1024;
/// The number of definitions of a file that are embedded.
const MOST_NAMES: usize = 40;
const MOST_SIMILAR: usize = 40;

/// The files similar to one request, with their similarity.
pub struct SimilarFiles(Vec<(WorkspacePath, f32)>);

impl SimilaritySearch for SimilarFiles {
    fn similar(&self, _: &str) -> Vec<(WorkspacePath, f32)> {
        self.0.clone()
    }
}

/// Returns the files similar to a text. `None` if there is no embedding model on this machine: code is never sent
/// elsewhere for this.
pub async fn similar_files(
    memory: &Memory,
    workspace: &Arc<WorkspaceSession>,
    text: &str,
) -> Option<SimilarFiles> {
    if !memory.embeds_locally().await {
        return None;
    }
    let asked = memory.embed(&[text.to_owned()]).await?.ok()?;
    let request = asked.vectors.into_iter().next()?;
    if let Err(error) = embed_new_files(memory, workspace, &asked.model).await {
        tracing::warn!("files of {} are not compared by their meaning: {error}", workspace.root());
    }
    let (workspace, model) = (Arc::clone(workspace), asked.model);
    let found = tokio::task::spawn_blocking(move || {
        let kept = workspace.index().code().vectors(&model).ok()?;
        let mut near: Vec<(WorkspacePath, f32)> = kept
            .into_iter()
            .filter_map(|kept| {
                Some((WorkspacePath::parse(&kept.path).ok()?, similarity(&request, &kept.vector)))
            })
            .filter(|(_, near)| *near > 0.0)
            .collect();
        near.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        near.truncate(MOST_SIMILAR);
        Some(SimilarFiles(near))
    });
    found.await.ok()?
}

async fn embed_new_files(
    memory: &Memory,
    workspace: &Arc<WorkspaceSession>,
    model: &str,
) -> Result<(), String> {
    for _ in 0..MOST_AT_ONCE / BATCH {
        let (reading, name) = (Arc::clone(workspace), model.to_owned());
        let batch = tokio::task::spawn_blocking(move || {
            let index = reading.index();
            let files = index.code().without_vectors(&name, BATCH).map_err(|error| error.to_string())?;
            let told = files.into_iter().map(|(path, hash)| {
                let about = about(&reading, &path);
                (path, hash, about)
            });
            Ok::<_, String>(told.collect::<Vec<_>>())
        });
        let batch = batch.await.map_err(|error| error.to_string())??;
        if batch.is_empty() {
            return Ok(());
        }
        let texts: Vec<String> = batch.iter().map(|(_, _, about)| about.clone()).collect();
        let embedded = memory.embed(&texts).await.ok_or("there is no model for it")?;
        let vectors = embedded.map_err(|error| error.to_string())?.vectors;
        let (keeping, name) = (Arc::clone(workspace), model.to_owned());
        let kept = tokio::task::spawn_blocking(move || {
            for ((path, hash, _), vector) in batch.iter().zip(vectors) {
                let bytes = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
                keeping
                    .index()
                    .code()
                    .put_vectors(&name, path, hash, &[bytes])
                    .map_err(|error| error.to_string())?;
            }
            Ok::<_, String>(())
        });
        kept.await.map_err(|error| error.to_string())??;
    }
    Ok(())
}

/// Returns the path and the definitions of a file as words.
fn about(workspace: &WorkspaceSession, path: &str) -> String {
    let outline =
        WorkspacePath::parse(path).ok().and_then(|path| workspace.index().symbols(&path).ok().flatten());
    let names =
        outline.iter().flat_map(|outline| &outline.definitions).take(MOST_NAMES).map(|found| &*found.name);
    let words: Vec<String> = std::iter::once(path).chain(names).map(in_words).collect();
    words.join(" ")
}

/// Splits `parse_date`, `parseDate` or `src/parse-date.rs` into words.
fn in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 8);
    let mut was_small = false;
    for letter in name.chars() {
        if letter.is_uppercase() && was_small {
            words.push(' ');
        }
        was_small = letter.is_lowercase() || letter.is_numeric();
        words.push(if letter.is_alphanumeric() { letter } else { ' ' });
    }
    words
}

/// Returns the cosine similarity of two vectors, of which one is stored as bytes. A vector of another length comes from
/// another model.
fn similarity(asked: &[f32], kept: &[u8]) -> f32 {
    let (numbers, rest) = kept.as_chunks::<4>();
    if numbers.len() != asked.len() || !rest.is_empty() {
        return 0.0;
    }
    let (mut product, mut ours, mut theirs) = (0.0_f32, 0.0_f32, 0.0_f32);
    for (one, other) in asked.iter().zip(numbers) {
        let other = f32::from_le_bytes(*other);
        product += one * other;
        ours += one * one;
        theirs += other * other;
    }
    if ours == 0.0 || theirs == 0.0 { 0.0 } else { product / (ours.sqrt() * theirs.sqrt()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_words() {
        for (name, words) in [
            ("parse_date", "parse date"),
            ("parseDate", "parse Date"),
            ("src/HTTPServer2Go.rs", "src HTTPServer2 Go rs"),
            ("", ""),
        ] {
            assert_eq!(in_words(name), words);
        }
    }

    #[test]
    fn what_points_the_same_way_is_near() {
        let bytes =
            |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        assert!((similarity(&[1.0, 2.0], &bytes(&[2.0, 4.0])) - 1.0).abs() < 1e-6);
        assert!(similarity(&[1.0, 0.0], &bytes(&[0.0, 1.0])).abs() < 1e-6);
        for strange in [bytes(&[1.0]), vec![0; 7], bytes(&[0.0, 0.0]), Vec::new()] {
            assert!(similarity(&[1.0, 2.0], &strange).abs() < 1e-6, "{strange:?}");
        }
    }
}
