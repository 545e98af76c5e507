use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use host::{Clock, RootDir};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use serde_json::{Map, Value};
use tokio::sync::Mutex;
use tools::{Invocation, Origin, ToolError, ValueOrigins};

use tools::blocking::{FolderLocks, failed, in_background};

/// The named values of every user: `state.json` in their folder.
pub struct StoredValues {
    clock: Arc<dyn Clock>,
    origins: Arc<dyn ValueOrigins>,
    locks: FolderLocks,
    /// Keeps a value and its origins consistent.
    changing: Mutex<()>,
}

/// A value with the origins of untrusted content in it.
pub struct StoredValue<T> {
    pub value: T,
    pub origins: Vec<Origin>,
}

const FILE: &str = "state.json";
const LARGEST_FILE: usize = 1 << 20;
const LARGEST_VALUE: usize = 16 * 1024;
const LONGEST_KEY: usize = 200;
const MOST_KEYS: usize = 1_000;

impl StoredValues {
    pub fn new(clock: Arc<dyn Clock>, origins: Arc<dyn ValueOrigins>) -> Arc<Self> {
        Arc::new(Self { clock, origins, locks: FolderLocks::default(), changing: Mutex::default() })
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the current time as it is stored: to the second, with the offset of the user's time zone.
    pub fn now_as_text(&self) -> String {
        self.clock.now().to_zoned(self.clock.time_zone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }

    /// Returns all values with the origins of all of them, since names can carry untrusted content too.
    pub async fn all(
        self: &Arc<Self>,
        invocation: &Invocation,
    ) -> Result<StoredValue<Map<String, Value>>, ToolError> {
        let _unchanged = self.changing.lock().await;
        let value = self.read(invocation).await?;
        let known = self.origins.all(invocation.user).await?.into_iter();
        let there = known.filter(|(name, _)| value.contains_key(name));
        let origins = there.flat_map(|(_, origins)| origins).collect::<BTreeSet<_>>();
        Ok(StoredValue { value, origins: origins.into_iter().collect() })
    }

    pub async fn get(
        self: &Arc<Self>,
        key: &str,
        invocation: &Invocation,
    ) -> Result<StoredValue<Value>, ToolError> {
        let key = key.trim();
        let _unchanged = self.changing.lock().await;
        let value = self.read(invocation).await?.shift_remove(key).ok_or_else(|| {
            ToolError::Impossible(format!("Nothing is kept as {key:?}. state_list shows what is."))
        })?;
        let known = self.origins.all(invocation.user).await?.into_iter();
        let origins = known.filter(|(name, _)| name == key).flat_map(|(_, origins)| origins).collect();
        Ok(StoredValue { value, origins })
    }

    async fn read(self: &Arc<Self>, invocation: &Invocation) -> Result<Map<String, Value>, ToolError> {
        let (values, folder) = (Arc::clone(self), Arc::clone(&invocation.folder));
        in_background(move || values.locks.with(&folder, || read(&opened(&folder)?))).await
    }

    pub async fn set(
        self: &Arc<Self>,
        key: &str,
        value: Value,
        invocation: &Invocation,
    ) -> Result<(), ToolError> {
        let key = checked_key(key)?;
        if value.to_string().len() > LARGEST_VALUE {
            return Err(ToolError::Impossible(format!(
                "A value has at most {} KB. Put what is longer into a memory file.",
                LARGEST_VALUE / 1024
            )));
        }
        let _alone = self.changing.lock().await;
        let (user, name) = (invocation.user, key.clone());
        // Origins are set before the value is written and cleared after it, so that untrusted content is never
        // unmarked, even after a failure in between.
        let is_clean = invocation.origins.is_empty();
        if !is_clean {
            self.origins.set(user, &name, invocation.origins.clone()).await?;
        }
        let (values, folder) = (Arc::clone(self), Arc::clone(&invocation.folder));
        in_background(move || {
            values.locks.with(&folder, || {
                let folder = opened(&folder)?;
                let mut all = read(&folder)?;
                if all.len() >= MOST_KEYS && !all.contains_key(&key) {
                    return Err(ToolError::Impossible(format!(
                        "{MOST_KEYS} values are kept, which is the limit. Use one of those keys."
                    )));
                }
                all.insert(key, value);
                let mut text = serde_json::to_string_pretty(&all).map_err(failed)?;
                text.push('\n');
                if text.len() > LARGEST_FILE {
                    return Err(ToolError::Impossible("There is no more room in state.json.".into()));
                }
                folder.write(FILE, text.as_bytes()).map_err(failed)
            })
        })
        .await?;
        if is_clean {
            self.origins.set(user, &name, Vec::new()).await?;
        }
        Ok(())
    }

    /// Parses a value as a point in time, if possible. Without a zone it is the user's local time.
    pub fn moment(&self, value: &Value) -> Option<Timestamp> {
        let text = value.as_str()?.trim();
        let local = |time: DateTime| Some(time.to_zoned(self.clock.time_zone()).ok()?.timestamp());
        text.parse::<Timestamp>()
            .ok()
            .or_else(|| text.parse::<jiff::Zoned>().ok().map(|zoned| zoned.timestamp()))
            .or_else(|| local(text.parse::<DateTime>().ok()?))
            .or_else(|| local(text.parse::<Date>().ok()?.to_datetime(jiff::civil::Time::midnight())))
    }
}

fn opened(folder: &Path) -> Result<RootDir, ToolError> {
    RootDir::open(folder).map_err(failed)
}

/// Reads the file. An unreadable one is left as it is, since its hand-written content should not be lost.
fn read(folder: &RootDir) -> Result<Map<String, Value>, ToolError> {
    let bytes = match folder.read(FILE, 4 * LARGEST_FILE as u64) {
        Ok(bytes) => bytes,
        Err(error) if error.is_not_found() => return Ok(Map::new()),
        Err(error) => return Err(failed(error)),
    };
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    let unreadable = |why: String| {
        ToolError::Failed(format!(
            "state.json cannot be read ({why}), so nothing was changed. Fix the file, or move it away to start over."
        ))
    };
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(values)) => Ok(values),
        Ok(_) => Err(unreadable("it is not an object of values".into())),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

fn checked_key(key: &str) -> Result<String, ToolError> {
    let key = key.trim();
    if key.is_empty() || key.len() > LONGEST_KEY || key.chars().any(char::is_control) {
        return Err(ToolError::Impossible(format!(
            "A key is a short name of at most {LONGEST_KEY} characters, such as last_walk."
        )));
    }
    Ok(key.to_owned())
}

/// Renders text without quotes, and anything else as JSON.
pub fn in_words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}
