use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use backup::{BackupInfo, Progress, Restored};
use clap::Args;
use config::{Environment, Flags, Folders, LiveConfig, Paths};
use host::{HomeLock, LockError};
use jiff::Timestamp;
use terminal::{StatusLine, bytes, clean, count, print_line, short_time};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee restore ~/perigee.tar.gz   check the backup, show its content, ask, and restore it
  perigee restore --undo             undo the last restore
  perigee restore --anew             start with an empty database, if yours is damaged or lost

Stop the server first. Nothing is thrown away: the data that was there before
is kept, and can be brought back.")]
pub struct RestoreCommandOptions {
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

pub async fn run(folders: &Folders, options: RestoreCommandOptions) -> anyhow::Result<ExitCode> {
    // All of this is blocking file I/O.
    let folders = folders.clone();
    tokio::task::spawn_blocking(move || work(&folders, &options))
        .await
        .context("the restore was interrupted")?
}

fn work(folders: &Folders, options: &RestoreCommandOptions) -> anyhow::Result<ExitCode> {
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
        print_line!("An interrupted restore was undone.");
    }
    let paths = LiveConfig::open(folders.clone(), Environment::of_process(), Flags::default()).paths();
    match &options.file {
        None if options.anew => start_empty(&paths, options.yes),
        None => undo(&paths),
        Some(file) => restore(file, &paths, options.yes),
    }
}

fn undo(paths: &Paths) -> anyhow::Result<ExitCode> {
    let kept = backup::undo_restore(paths, Timestamp::now())?;
    print_line!(
        "Everything is as it was before the restore. What was restored is kept in {}.",
        kept.display()
    );
    print_line!("Changed your mind? perigee restore --undo");
    Ok(ExitCode::SUCCESS)
}

fn start_empty(paths: &Paths, yes: bool) -> anyhow::Result<ExitCode> {
    if !yes {
        if !terminal::is_interactive() {
            eprintln!("Nothing was changed. To start with an empty database, add --yes.");
            return Ok(ExitCode::from(2));
        }
        if !terminal::confirm("Start without the conversations and memories that are in the database?") {
            print_line!("Nothing was changed.");
            return Ok(ExitCode::FAILURE);
        }
    }
    let kept = backup::begin_anew(paths, Timestamp::now())?;
    print_line!("The next start uses an empty database. The old one is kept in {}.", kept.display());
    print_line!("Changed your mind? perigee restore --undo");
    Ok(ExitCode::SUCCESS)
}

fn restore(file: &std::path::Path, paths: &Paths, yes: bool) -> anyhow::Result<ExitCode> {
    let info = with_progress("Checking", |progress| backup::inspect(file, paths, progress))?;
    print_line!("{}", describe(&info));
    if !yes {
        if !terminal::is_interactive() {
            eprintln!("Nothing was changed. To restore this backup, add --yes.");
            return Ok(ExitCode::from(2));
        }
        if !terminal::confirm("Replace your settings, conversations and memories with those of the backup?") {
            print_line!("Nothing was changed.");
            return Ok(ExitCode::FAILURE);
        }
    }
    let Restored { kept, notes, .. } =
        with_progress("Restoring", |progress| backup::restore(file, paths, Timestamp::now(), progress))?;
    print_line!("Restored. The data that was there before is kept in {}.", kept.display());
    for note in notes {
        print_line!("{}", clean(&note));
    }
    print_line!("Changed your mind? perigee restore --undo");
    Ok(ExitCode::SUCCESS)
}

fn describe(info: &BackupInfo) -> String {
    let files = count(usize::try_from(info.files).unwrap_or(usize::MAX), "file");
    let made = short_time(&info.created.to_string());
    format!(
        "A backup of {made} by Perigee {}: {files}, {}. It is complete.",
        clean(&info.version),
        bytes(info.bytes)
    )
}

/// Shows the progress while the work runs.
fn with_progress<T>(what: &str, work: impl FnOnce(&dyn Fn(Progress)) -> T) -> T {
    let status = std::cell::RefCell::new((StatusLine::on_stderr(), None));
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
