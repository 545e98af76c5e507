//! Prompt evaluation speed on this machine with this model. It is measured with every prompt and stored next to the
//! saved states, so that a later start knows it in advance.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The number of recent measurements. The best one counts, because other load on the machine makes measurements slower.
const RECENT: usize = 16;
/// The minimum number of tokens in a measurement. A single token costs more than its share in a large batch.
const ENOUGH: usize = 32;
/// The minimum change in percent before the settled speed is replaced, so that prompt lengths do not follow every
/// fluctuation.
const NOTICEABLE: f64 = 30.0;
const EXTENSION: &str = "pace";

/// The measurements of the prompt evaluation speed.
#[derive(Debug, Default)]
pub struct SpeedRecord {
    recent: VecDeque<f64>,
    /// The smoothed latest measurement, for sizing the next chunk.
    smoothed: Option<f64>,
    /// The speed that applies while the model stays loaded.
    settled: Option<f64>,
    file: Option<PathBuf>,
    machine: String,
    is_saved: bool,
}

/// The contents of a file, with speeds in tokens per second.
#[derive(Serialize, Deserialize)]
struct SavedPace {
    machine: String,
    settled: f64,
    recent: Vec<f64>,
}

impl SpeedRecord {
    /// Loads the measurements of earlier starts for this model and build (`maker`) and number of threads. Without a
    /// folder, the speed is measured at each start.
    pub fn open(folder: Option<&Path>, maker: &str, threads: u32) -> Self {
        let Some(folder) = folder else { return Self::default() };
        let file = folder.join(format!("{}.{EXTENSION}", maker.get(..24).unwrap_or(maker)));
        let machine = machine(threads);
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let saved = serde_json::from_str::<SavedPace>(&text).ok().filter(|saved| saved.machine == machine);
        let (recent, settled) = match saved {
            Some(saved) => (saved.recent, Some(saved.settled).filter(|pace| is_sane(*pace))),
            None => (Vec::new(), None),
        };
        let recent: VecDeque<f64> = recent.into_iter().filter(|pace| is_sane(*pace)).take(RECENT).collect();
        let mut pace = Self { recent, smoothed: None, settled, file: Some(file), machine, is_saved: true };
        pace.settle();
        pace
    }

    /// Adds a measurement.
    pub fn learn(&mut self, tokens: usize, took: Duration) {
        if tokens < ENOUGH || took.is_zero() {
            return;
        }
        #[allow(clippy::cast_precision_loss, reason = "a few hundred")]
        let measured = tokens as f64 / took.as_secs_f64();
        self.smoothed = Some(f64::midpoint(self.smoothed.unwrap_or(measured), measured));
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(measured);
        self.is_saved = false;
    }

    /// Returns true if there is any measurement.
    pub fn is_known(&self) -> bool {
        !self.recent.is_empty()
    }

    /// Settles on the best recent measurement if it differs noticeably.
    pub fn settle(&mut self) {
        let Some(best) = self.recent.iter().copied().reduce(f64::max) else { return };
        let is_near = |settled: f64| (best - settled).abs() * 100.0 <= settled * NOTICEABLE;
        if !self.settled.is_some_and(is_near) {
            self.settled = Some(best);
            self.is_saved = false;
        }
    }

    /// Returns the settled speed in tokens per second.
    pub fn settled(&self) -> Option<u32> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is sane")]
        self.settled.map(|settled| settled as u32)
    }

    /// Returns the number of tokens that can be evaluated in a given time at the current speed.
    pub fn tokens_in(&self, time: Duration) -> usize {
        let tokens = self.smoothed.or(self.settled).unwrap_or(0.0) * time.as_secs_f64();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let tokens = tokens as usize;
        tokens
    }

    /// Saves the measurements. If that fails, they are measured again.
    pub fn save(&mut self) {
        let (Some(file), Some(settled), false) = (&self.file, self.settled, self.is_saved) else { return };
        let recent = self.recent.iter().copied().collect();
        let saved = SavedPace { machine: self.machine.clone(), settled, recent };
        let written = file
            .parent()
            .map_or(Ok(()), host::private_dir)
            .and_then(|()| host::atomic_write(file, &serde_json::to_vec(&saved).unwrap_or_default()));
        if let Err(error) = written {
            tracing::warn!("the prompt evaluation speed could not be saved: {error}");
        }
        self.is_saved = true;
    }
}

/// Identifies the machine, because a data folder may be moved to another one.
fn machine(threads: u32) -> String {
    let facts = host::machine();
    format!("{} {} {threads}", facts.physical_cores, facts.memory_total.unwrap_or(0) >> 30)
}

fn is_sane(pace: f64) -> bool {
    pace.is_finite() && (0.01..1e7).contains(&pace)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test are its own")]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_best_of_the_recent_counts_and_a_busy_moment_does_not() {
        let mut pace = SpeedRecord::default();
        assert_eq!((pace.settled(), pace.is_known()), (None, false));
        pace.learn(64, SECOND * 8);
        pace.settle();
        assert_eq!(pace.settled(), Some(8), "it is all that is known");
        pace.learn(64, SECOND / 2);
        pace.learn(64, SECOND * 4);
        assert_eq!(pace.settled(), Some(8), "as long as nobody settles it");
        pace.settle();
        assert_eq!(pace.settled(), Some(128));
        for _ in 0..RECENT - 2 {
            pace.learn(64, SECOND * 8);
            pace.settle();
        }
        assert_eq!(pace.settled(), Some(128));
        pace.learn(64, SECOND * 8);
        pace.settle();
        assert_eq!(
            pace.settled(),
            Some(16),
            "it has been so for long: 64 tokens in four seconds are the best"
        );
        pace.learn(1, SECOND / 1000);
        pace.learn(64, Duration::ZERO);
        assert_eq!(pace.recent.len(), RECENT, "a single token tells nothing about prompts");
    }

    #[test]
    fn a_little_more_or_less_changes_nothing() {
        let mut pace = SpeedRecord::default();
        for (tokens, settled) in [(100, 100), (120, 100), (129, 100), (131, 131), (140, 131)] {
            pace.learn(tokens, SECOND);
            pace.settle();
            assert_eq!(pace.settled(), Some(settled), "{tokens}");
        }
    }

    #[test]
    fn what_was_measured_is_known_at_the_next_start_of_this_machine_alone() {
        let folder = tempfile::tempdir().unwrap();
        let states = folder.path().join("states");
        let mut pace = SpeedRecord::open(Some(&states), "model", 0);
        assert_eq!(pace.settled(), None);
        pace.learn(64, SECOND);
        pace.settle();
        pace.learn(128, SECOND);
        pace.save();
        assert_eq!(pace.settled(), Some(64), "for as long as it is loaded");
        assert_eq!(SpeedRecord::open(Some(&states), "model", 0).settled(), Some(128));
        assert_eq!(SpeedRecord::open(Some(&states), "model", 3).settled(), None, "with other threads");
        assert_eq!(SpeedRecord::open(Some(&states), "other", 0).settled(), None);
        for damaged in ["", "{", "[]", r#"{"machine": "", "settled": -1, "recent": [1e300]}"#] {
            std::fs::write(states.join("model.pace"), damaged).unwrap();
            assert_eq!(SpeedRecord::open(Some(&states), "model", 0).settled(), None, "{damaged}");
        }
    }

    #[test]
    fn what_can_be_read_in_a_while_follows_how_things_go() {
        let mut pace = SpeedRecord::default();
        assert_eq!(pace.tokens_in(SECOND), 0, "nothing is known yet");
        pace.learn(64, Duration::from_millis(320));
        assert_eq!(pace.tokens_in(SECOND), 200);
        for _ in 0..10 {
            pace.learn(64, SECOND * 8);
        }
        assert_eq!(pace.tokens_in(SECOND), 8, "the machine is busy");
        for _ in 0..10 {
            pace.learn(64, SECOND / 10);
        }
        assert!(pace.tokens_in(SECOND) > 600);
    }
}
