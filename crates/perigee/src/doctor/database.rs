//! Checks of the database: integrity and schema version.

use store::{Store, StoreError};

use super::{Check, Patient};
use crate::terminal::sentence;
use crate::used_home;

pub async fn checks(patient: &Patient) -> Vec<Check> {
    let paths = patient.config.paths();
    match used_home::loss(&paths) {
        Ok(Some(loss)) => {
            return vec![Check::fail("database", loss.told(&paths), used_home::ways_out(&paths))];
        }
        Ok(None) if used_home::begins_anew(&paths) => {
            let message = "The database is gone, though this folder was in use before. The next start begins with an \
                           empty memory.";
            return vec![Check::warn("database", message, used_home::ways_back(&paths))];
        }
        Ok(None) if std::fs::metadata(&paths.database).map_or(true, |found| found.len() == 0) => {
            return vec![Check::ok("database", "There is no database yet. The first start makes it.")];
        }
        // A read error is reported below.
        Ok(None) | Err(_) => {}
    }
    let path = paths.database;
    let file = path.clone();
    let looked = tokio::task::spawn_blocking(move || Store::check_file(&file)).await;
    let restore = "Go back to a backup: perigee restore FILE. The damaged file is kept beside it.";
    vec![match looked {
        Ok(Ok(report)) if report.is_sound() => Check::ok("database", "The database is sound."),
        Ok(Ok(report)) => Check::fail(
            "database",
            format!("The database is damaged: {}.", report.problems.join("; ")),
            restore,
        ),
        Ok(Err(error @ StoreError::Damaged(_))) => {
            Check::fail("database", sentence(&error.to_string()), restore)
        }
        Ok(Err(error @ StoreError::Newer { .. })) => {
            Check::fail("database", sentence(&error.to_string()), "Update Perigee.")
        }
        Ok(Err(error @ StoreError::Foreign)) => Check::fail(
            "database",
            sentence(&error.to_string()),
            format!("Move {} away, or choose another folder with --home.", path.display()),
        ),
        Ok(Err(error)) => Check::fail(
            "database",
            sentence(&error.to_string()),
            format!("Look whether you may read {}.", path.display()),
        ),
        Err(_) => Check::fail("database", "The database could not be looked at.", restore),
    }]
}
