//! The database: whole, and of a version that this program knows.

use store::{Store, StoreError};

use super::{Check, Patient};
use crate::terminal::sentence;

pub async fn checks(patient: &Patient) -> Vec<Check> {
    let path = patient.config.paths().database;
    if !path.exists() {
        return vec![Check::ok("database", "There is no database yet. The first start makes it.")];
    }
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
