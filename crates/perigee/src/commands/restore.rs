use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use backup::{BackupInfo, Progress, Restored};
use clap::Args;
use config::{Environment, Flags, Folders, LiveConfig, Paths};
use host::{HomeLock, LockError};
use jiff::Timestamp;

use crate::terminal::{self, StatusLine, bytes, clean, count, say, short_time};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee restore ~/perigee.tar.gz   check it, show what is in it, ask, and go back to it
  perigee restore --undo             put everything back as it was before
  perigee restore --anew             begin with an empty database, for one that is damaged or lost

The server must not run meanwhile. Nothing is thrown away: what was there
before is kept, and can be put back.")]
pub struct Options {
    /// The backup to restore.
    #[arg(required_unless_present_any = ["undo", "anew"], conflicts_with_all = ["undo", "anew"])]
    file: Option<PathBuf>,
    /// Undo the last restore.
    #[arg(long)]
    undo: bool,
    /// Remove the database, so that the next start begins with an empty one. Settings, soul and files are kept.
    #[arg(long, conflicts_with = "undo")]
    anew: bool,
    /// Do not ask for confirmation.
    #[arg(long, short)]
    yes: bool,
}

pub async fn run(folders: &Folders, options: Options) -> anyhow::Result<ExitCode> {
    // All of this is blocking file I/O.
    let folders = folders.clone();
    tokio::task::spawn_blocking(move || work(&folders, &options)).await.context("the restore broke off")?
}

fn work(folders: &Folders, options: &Options) -> anyhow::Result<ExitCode> {
    host::private_dir(&folders.home)?;
    let _lock = match HomeLock::acquire(&folders.home) {
        Ok(lock) => lock,
        Err(LockError::Held { pid, .. }) => {
            let which = pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
            anyhow::bail!(
                "a server uses this data folder{which}. Stop it, then restore: nothing was changed"
            );
        }
        Err(error) => return Err(error.into()),
    };
    if backup::mend_interrupted(&Paths::new(folders, &config::Config::default()))? {
        say!("An earlier restore was cut off. Everything is as it was before it.");
    }
    let paths = LiveConfig::open(folders.clone(), Environment::of_process(), Flags::default()).paths();
    match &options.file {
        None if options.anew => anew(&paths, options.yes),
        None => undo(&paths),
        Some(file) => restore(file, &paths, options.yes),
    }
}

fn undo(paths: &Paths) -> anyhow::Result<ExitCode> {
    let kept = backup::undo_restore(paths, Timestamp::now())?;
    say!("Everything is as it was before the restore. What was restored is kept in {}.", kept.display());
    say!("Changed your mind? perigee restore --undo");
    Ok(ExitCode::SUCCESS)
}

fn anew(paths: &Paths, yes: bool) -> anyhow::Result<ExitCode> {
    if !yes {
        if !terminal::is_interactive() {
            eprintln!("Nothing was changed. Say --yes to begin with an empty database.");
            return Ok(ExitCode::from(2));
        }
        if !terminal::confirm("Begin without the conversations and memories that are in the database?") {
            say!("Nothing was changed.");
            return Ok(ExitCode::FAILURE);
        }
    }
    let kept = backup::begin_anew(paths, Timestamp::now())?;
    say!(
        "The next start begins with an empty database. The one that was here is kept in {}.",
        kept.display()
    );
    say!("Changed your mind? perigee restore --undo");
    Ok(ExitCode::SUCCESS)
}

fn restore(file: &std::path::Path, paths: &Paths, yes: bool) -> anyhow::Result<ExitCode> {
    let info = watched("Checking", |progress| backup::inspect(file, paths, progress))?;
    say!("{}", inside(&info));
    if !yes {
        if !terminal::is_interactive() {
            eprintln!("Nothing was changed. Say --yes to go back to this backup.");
            return Ok(ExitCode::from(2));
        }
        if !terminal::confirm("Replace the settings, conversations and memories that are here by these?") {
            say!("Nothing was changed.");
            return Ok(ExitCode::FAILURE);
        }
    }
    let Restored { kept, notes, .. } =
        watched("Restoring", |progress| backup::restore(file, paths, Timestamp::now(), progress))?;
    say!("Restored. What was there before is kept in {}.", kept.display());
    for note in notes {
        say!("{}", clean(&note));
    }
    say!("Changed your mind? perigee restore --undo");
    Ok(ExitCode::SUCCESS)
}

fn inside(info: &BackupInfo) -> String {
    let files = count(usize::try_from(info.files).unwrap_or(usize::MAX), "file");
    let made = short_time(&info.created.to_string());
    format!(
        "A backup of {made}, made by Perigee {}: {files}, {}. It is whole.",
        clean(&info.version),
        bytes(info.bytes)
    )
}

/// Shows the progress while the work runs.
fn watched<T>(what: &str, work: impl FnOnce(&dyn Fn(Progress)) -> T) -> T {
    let status = std::cell::RefCell::new((StatusLine::new(), None));
    let show = |progress: Progress| {
        let percent = progress.done.saturating_mul(100).checked_div(progress.total).unwrap_or(0);
        let (line, shown) = &mut *status.borrow_mut();
        if *shown != Some(percent) {
            *shown = Some(percent);
            line.show(&format!("{what} … {percent} %"));
        }
    };
    work(&show)
}
