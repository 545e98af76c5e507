//! Assigns large numbers of vectors to regions, so that a search does not need to scan all of them.
//!
//! From fifty thousand vectors on, the maintenance builds regions from a sample and assigns each vector to its own, a few
//! hundred at a time. Both are stored, so that a start computes nothing again. What is in no region yet is scanned.

use std::sync::Arc;

use protocol::{MemoryKind, UserId};

use super::{Memory, MemoryError, Result, read, run_blocking, write};

/// The number of vectors that are assigned per step: a question is delayed by a few milliseconds at most.
const STEP: usize = 200;

impl Memory {
    /// Builds regions when that is due, and assigns some vectors to theirs. Returns the number of vectors that moved;
    /// zero means that all are in place.
    pub async fn assign_vector_regions(&self, user: UserId) -> Result<usize> {
        let state = self.user_state(user).await?;
        self.catch_up(&state).await?;
        let Some(embedder) = state.sync.lock().await.embedder.clone() else { return Ok(0) };
        let surveyed = Arc::clone(&state);
        let made = run_blocking(move || {
            let sample = read(&surveyed.memory).sample_for_regions();
            sample.map(vectors::RegionSample::build).transpose()
        });
        let made = made.await.map_err(|error| MemoryError::Invalid(error.to_string()))?;
        // The lock prevents a switch to another model's vectors meanwhile.
        let sync = state.sync.lock().await;
        if sync.embedder.as_ref() != Some(&embedder) {
            return Ok(0);
        }
        if let Some(regions) = made {
            self.inner.store.keep_regions(user, embedder.id, regions.to_bytes()).await?;
            let owner = Arc::clone(&state);
            run_blocking(move || write(&owner.memory).use_regions(regions)).await;
        }
        let owner = Arc::clone(&state);
        let moved = run_blocking(move || write(&owner.memory).assign_regions(STEP)).await;
        let count = moved.len();
        // Regions of files are not stored, since two users may have the same file; they are determined anew at each
        // start.
        let lasting = moved.into_iter().filter(|(key, _)| key.kind != MemoryKind::File);
        let places: Vec<_> = lasting.map(|(key, region)| (key.kind, key.item, region.number())).collect();
        self.inner.store.place_vectors(embedder.id, places).await?;
        Ok(count)
    }
}
