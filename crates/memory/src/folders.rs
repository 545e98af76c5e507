use std::path::{Path, PathBuf};
use std::sync::Arc;

use protocol::User;

/// The locations of the users' own data.
#[derive(Debug, Clone)]
pub struct UserFolders {
    /// The data folder. Other users' own folders are below it.
    pub home: PathBuf,
    /// The owner's own folder: memories and the like.
    pub owner: PathBuf,
}

impl UserFolders {
    /// Returns a user's own folder. If the name is not usable as a folder name, the id is used.
    pub fn of(&self, user: &User) -> Arc<Path> {
        if user.owner {
            return self.owner.as_path().into();
        }
        let plain = |letter: char| letter.is_alphanumeric() || "-_ ".contains(letter);
        let named = user.name.chars().all(plain) && user.name.len() <= 64 && user.name.trim() == user.name;
        let name = if named { user.name.clone() } else { user.id.to_string() };
        self.home.join("users").join(name).into()
    }
}

#[cfg(test)]
mod tests {
    use protocol::UserId;

    use super::*;

    fn user(name: &str, owner: bool) -> User {
        User { id: UserId::new(7), name: name.to_owned(), owner }
    }

    #[test]
    fn a_users_folder_stays_below_the_data_folder() {
        let folders = UserFolders { home: "/data".into(), owner: "/state".into() };
        for (name, owner, folder) in [
            ("Luna", true, "/state"),
            ("Ada", false, "/data/users/Ada"),
            ("Zoë K", false, "/data/users/Zoë K"),
            ("../../etc", false, "/data/users/0000000000007"),
            ("..", false, "/data/users/0000000000007"),
            ("a/b", false, "/data/users/0000000000007"),
            (" a", false, "/data/users/0000000000007"),
            ("x\0", false, "/data/users/0000000000007"),
        ] {
            assert_eq!(folders.of(&user(name, owner)).as_ref(), Path::new(folder), "{name}");
        }
    }
}
