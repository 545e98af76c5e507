use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use protocol::{Download, DownloadState};
use terminal::{Screen, bytes, clean_line, duration};

/// The least width, in columns, with room for a progress bar.
const BAR_MIN_WIDTH: usize = 70;

/// The progress of a download: a bar on a terminal, otherwise occasional lines.
pub struct DownloadProgress {
    bar: ProgressBar,
    lines: Option<Lines>,
}

/// Progress lines for a log.
#[derive(Default)]
struct Lines {
    name: String,
    last: Option<(DownloadState, u64)>,
}

impl DownloadProgress {
    pub fn new(name: &str) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let room = Screen::stderr().width.unwrap_or(0);
        let template = if room >= BAR_MIN_WIDTH { "{prefix} {wide_bar} {msg}" } else { "{msg}" };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("━╸─"));
        bar.set_prefix(clean_line(name));
        let lines = (!terminal).then(|| Lines { name: clean_line(name), last: None });
        Self { bar, lines }
    }

    pub fn show(&mut self, download: &Download) {
        self.bar.set_length(download.total.max(1));
        self.bar.set_position(download.received);
        self.bar.set_message(describe(download));
        if let Some(line) = self.lines.as_mut().and_then(|lines| lines.next(download)) {
            eprintln!("{line}");
        }
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Formats progress as `45 MB of 98 MB · 3.2 MB/s · 17 s left`.
fn describe(download: &Download) -> String {
    let mut parts = Vec::new();
    match download.state {
        DownloadState::Waiting => parts.push("waiting for its turn".to_owned()),
        DownloadState::Checking => parts.push("checking".to_owned()),
        _ if download.total > 0 => {
            parts.push(format!("{} of {}", bytes(download.received), bytes(download.total)));
        }
        _ => parts.push(bytes(download.received)),
    }
    if download.bytes_per_second > 0 {
        parts.push(format!("{}/s", bytes(u64::from(download.bytes_per_second))));
    }
    if let Some(seconds) = download.seconds_left {
        parts.push(format!("{} left", duration(u64::from(seconds))));
    }
    parts.join(" · ")
}

impl Lines {
    /// Returns a line for each new state and each tenth of the download.
    fn next(&mut self, download: &Download) -> Option<String> {
        let tenth = download.received.saturating_mul(10).checked_div(download.total).unwrap_or(0);
        let reached = (download.state, tenth);
        if self.last == Some(reached) {
            return None;
        }
        self.last = Some(reached);
        Some(format!("{}: {}", self.name, describe(download)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn download(state: DownloadState, received: u64, speed: u32, left: Option<u32>) -> Download {
        Download {
            name: "m".into(),
            state,
            received,
            total: 98_000_000,
            bytes_per_second: speed,
            seconds_left: left,
            source: None,
            message: String::new(),
        }
    }

    #[test]
    fn rate_and_time_left_are_told() {
        for (download, expected) in [
            (
                download(DownloadState::Running, 45_000_000, 3_200_000, Some(17)),
                "45 MB of 98 MB · 3.2 MB/s · 17 s left",
            ),
            (download(DownloadState::Running, 0, 0, None), "0 B of 98 MB"),
            (download(DownloadState::Waiting, 0, 0, None), "waiting for its turn"),
            (download(DownloadState::Checking, 5, 9_000_000, None), "checking · 9.0 MB/s"),
        ] {
            assert_eq!(describe(&download), expected);
        }
    }

    #[test]
    fn a_log_gets_a_line_for_each_tenth() {
        let mut lines = Lines { name: "m".into(), last: None };
        let shown = (0..=98).filter_map(|megabyte| {
            lines.next(&download(DownloadState::Running, megabyte * 1_000_000, 0, None))
        });
        assert_eq!(shown.count(), 11);
    }
}
