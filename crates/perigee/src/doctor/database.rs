//! Checks of the database: integrity and schema version.

use store::{Store, StoreError};
use tools::sentence;

use super::check::DoctorCheck;
use super::installation::Installation;
use crate::lost_database;

pub async fn checks(installation: &Installation) -> Vec<DoctorCheck> {
    let paths = installation.config.paths();
    match lost_database::find_loss(&paths) {
        Ok(Some(loss)) => {
            return vec![DoctorCheck::fail(
                "database",
                loss.describe(&paths),
                lost_database::recovery_options(&paths),
            )];
        }
        Ok(None) if lost_database::starts_empty(&paths) => {
            let message = "The database is missing, although this folder was in use before. The next start begins with \
                           an empty memory.";
            return vec![DoctorCheck::warn("database", message, lost_database::restore_hint(&paths))];
        }
        Ok(None) if std::fs::metadata(&paths.database).map_or(true, |found| found.len() == 0) => {
            return vec![DoctorCheck::ok(
                "database",
                "There is no database yet. The first start creates it.",
            )];
        }
        // A read error is reported below.
        Ok(None) | Err(_) => {}
    }
    let path = paths.database;
    let file = path.clone();
    let checked = tokio::task::spawn_blocking(move || Store::check_file(&file)).await;
    let restore = "Restore a backup: perigee restore FILE. The damaged file is kept beside it.";
    vec![match checked {
        Ok(Ok(report)) if report.is_sound() => DoctorCheck::ok("database", "The database is intact."),
        Ok(Ok(report)) => DoctorCheck::fail(
            "database",
            format!("The database is damaged: {}.", report.problems.join("; ")),
            restore,
        ),
        Ok(Err(error @ StoreError::Damaged(_))) => {
            DoctorCheck::fail("database", sentence(&error.to_string()), restore)
        }
        Ok(Err(error @ StoreError::Newer { .. })) => {
            DoctorCheck::fail("database", sentence(&error.to_string()), "Update Perigee.")
        }
        Ok(Err(error @ StoreError::Foreign)) => DoctorCheck::fail(
            "database",
            sentence(&error.to_string()),
            format!("Move {} away, or choose another folder with --home.", path.display()),
        ),
        Ok(Err(error)) => DoctorCheck::fail(
            "database",
            sentence(&error.to_string()),
            format!("Check whether you may read {}.", path.display()),
        ),
        Err(_) => DoctorCheck::fail("database", "The database could not be checked.", restore),
    }]
}
