//! Map tiles from the web, with a disk cache.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use host::{Clock, EntryKind, RootDir};
use jiff::Timestamp;
use reqwest::Url;
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use super::picture;
use crate::CurrentConfig;
use crate::web::{FetchError, Web};

const DEEPEST_ZOOM: u8 = 19;
const CACHED_FOR: Duration = Duration::from_hours(30 * 24);
const CAPACITY: u64 = 200 << 20;
const LARGEST_TILE: u64 = 2 << 20;
/// The number of stored tiles between two clean-ups of the cache.
const CLEAN_UP_EVERY: usize = 64;
/// The most concurrent downloads; tile servers ask for moderate use.
const AT_ONCE: usize = 4;

/// A map tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    /// One of `image/png`, `image/jpeg` and `image/webp`, detected from the content rather than taken from the server.
    pub content_type: &'static str,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TileError {
    #[error("Detailed maps are switched off. Set map.online in the settings to load them from the web.")]
    Off,
    #[error("There is no such part of the map.")]
    NoSuchTile,
    #[error("The setting map.tiles_url is not an address with {{z}}, {{x}} and {{y}} in it.")]
    BadAddress,
    #[error("The map's server sent no picture.")]
    NotAPicture,
    #[error("The map cannot be loaded: {0}.")]
    Fetch(#[from] FetchError),
}

/// Map tiles by coordinates, from the disk or from the web.
pub struct Tiles {
    web: Arc<Web>,
    settings: CurrentConfig,
    clock: Arc<dyn Clock>,
    folder: PathBuf,
    capacity: u64,
    stored: AtomicUsize,
    downloads: Semaphore,
}

impl Tiles {
    /// Creates the cache in the subfolder `tiles` of the cache folder.
    pub fn new(web: Arc<Web>, settings: CurrentConfig, clock: Arc<dyn Clock>, cache: &Path) -> Self {
        Self {
            web,
            settings,
            clock,
            folder: cache.join("tiles"),
            capacity: CAPACITY,
            stored: AtomicUsize::new(0),
            downloads: Semaphore::new(AT_ONCE),
        }
    }

    /// Returns a tile. If the web cannot be reached, an expired tile is better than none.
    pub async fn get(&self, z: u8, x: u32, y: u32) -> Result<Tile, TileError> {
        let settings = (self.settings)();
        if !settings.map.online {
            return Err(TileError::Off);
        }
        let across = 1_u32.checked_shl(z.into()).unwrap_or(0);
        if z > DEEPEST_ZOOM || x >= across || y >= across {
            return Err(TileError::NoSuchTile);
        }
        let url = address(&settings.map.tiles_url, z, x, y)?;
        let name = host::hex(&Sha256::digest(url.as_str().as_bytes())[..16]);
        let cached = self.cached(&name).await;
        if let Some((tile, at)) = &cached
            && self.is_fresh(*at)
        {
            return Ok(tile.clone());
        }
        match self.fetch(url).await {
            Ok(tile) => {
                self.store(name, tile.bytes.clone()).await;
                Ok(tile)
            }
            Err(error) => cached.map(|(tile, _)| tile).ok_or(error),
        }
    }

    fn is_fresh(&self, at: Timestamp) -> bool {
        at.saturating_add(CACHED_FOR).is_ok_and(|until| self.clock.now() < until)
    }

    async fn fetch(&self, url: Url) -> Result<Tile, TileError> {
        // The semaphore is never closed.
        let _turn = self.downloads.acquire().await.ok();
        let page = self.web.picture(url).await?;
        tile(page.body).ok_or(TileError::NotAPicture)
    }

    async fn cached(&self, name: &str) -> Option<(Tile, Timestamp)> {
        let (folder, name) = (self.folder.clone(), name.to_owned());
        let reading = tokio::task::spawn_blocking(move || {
            let root = RootDir::open(folder).ok()?;
            let at = root.metadata(&name).ok()??.modified;
            Some((tile(root.read(&name, LARGEST_TILE).ok()?)?, at))
        });
        reading.await.ok()?
    }

    /// Stores a tile. A failure is only logged, since the tile can be shown all the same.
    async fn store(&self, name: String, bytes: Vec<u8>) {
        let cleans_up = self.stored.fetch_add(1, Ordering::Relaxed).is_multiple_of(CLEAN_UP_EVERY);
        let (folder, capacity, now) = (self.folder.clone(), self.capacity, self.clock.now());
        let writing = tokio::task::spawn_blocking(move || -> Result<(), String> {
            host::private_dir(&folder).map_err(|error| error.to_string())?;
            let pictures = RootDir::open(folder).map_err(|error| error.to_string())?;
            pictures.write(name, &bytes).map_err(|error| error.to_string())?;
            if cleans_up { clean_up(&pictures, capacity, now) } else { Ok(()) }
        });
        if let Ok(Err(error)) = writing.await {
            tracing::debug!(%error, "a map picture was not cached");
        }
    }
}

/// Removes expired tiles, and then the oldest until the rest fits.
fn clean_up(pictures: &RootDir, capacity: u64, now: Timestamp) -> Result<(), String> {
    let mut files = pictures.list("").map_err(|error| error.to_string())?;
    files.retain(|(_, info)| info.kind == EntryKind::File);
    files.sort_by_key(|(_, info)| info.modified);
    let mut total: u64 = files.iter().map(|(_, info)| info.len).sum();
    for (name, info) in files {
        let is_old = info.modified.saturating_add(CACHED_FOR).is_ok_and(|until| until <= now);
        if !is_old && total <= capacity {
            break;
        }
        pictures.remove(&name).map_err(|error| error.to_string())?;
        total -= info.len;
    }
    Ok(())
}

fn address(template: &str, z: u8, x: u32, y: u32) -> Result<Url, TileError> {
    if !["{z}", "{x}", "{y}"].iter().all(|part| template.contains(part)) {
        return Err(TileError::BadAddress);
    }
    let text =
        template.replace("{z}", &z.to_string()).replace("{x}", &x.to_string()).replace("{y}", &y.to_string());
    Url::parse(&text).map_err(|_| TileError::BadAddress)
}

fn tile(bytes: Vec<u8>) -> Option<Tile> {
    Some(Tile { content_type: picture::content_type(&bytes)?, bytes })
}

#[cfg(test)]
#[path = "tiles_tests.rs"]
mod tests;
