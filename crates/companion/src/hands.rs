use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use abilities::skills::Skills;
use protocol::{Permission, User, UserId};
use tools::{Audit, Effect, Group, Permissions, Registry, Spec, Tool};

/// What she can do, and what each user permits.
pub struct Hands {
    registry: Registry,
    audit: Audit,
    skills: Arc<Skills>,
    folders: OwnFolders,
    is_on: Box<dyn Fn(Group) -> bool + Send + Sync>,
    permissions: Mutex<HashMap<UserId, Arc<Permissions>>>,
}

/// Where what belongs to users lies.
#[derive(Debug, Clone)]
pub struct OwnFolders {
    /// The data folder. Other users' own folders are below it.
    pub home: PathBuf,
    /// What is the owner's own: memories and the like.
    pub owner: PathBuf,
}

impl Hands {
    pub fn new(
        registry: Registry,
        audit: Audit,
        skills: Arc<Skills>,
        folders: OwnFolders,
        is_on: impl Fn(Group) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { registry, audit, skills, folders, is_on: Box::new(is_on), permissions: Mutex::default() }
    }

    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    pub fn skills(&self) -> &Arc<Skills> {
        &self.skills
    }

    pub fn is_on(&self, group: Group) -> bool {
        (self.is_on)(group)
    }

    /// A tool by its name or a tag, if its group is on and it is for this user.
    pub fn find(&self, user: &User, name: &str) -> Option<&Arc<dyn Tool>> {
        self.registry.find(name, |group| self.is_on(group)).filter(|tool| is_for(user, tool.spec()))
    }

    /// The tools that this user can have run, asked about or not.
    pub fn permitted(&self, user: &User) -> impl Iterator<Item = &Arc<dyn Tool>> {
        let on = self.registry.all(|group| self.is_on(group)).filter(|tool| is_for(user, tool.spec()));
        on.filter(|tool| self.permission(user, tool.as_ref()) != Permission::Block)
    }

    /// Whether there is a tool of this name, be its group on or off.
    pub fn knows(&self, name: &str) -> bool {
        self.registry.find(name, |_| true).is_some_and(|tool| tool.spec().name == name)
    }

    /// Every tool there is, also of groups that are off.
    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.registry.all(|_| true)
    }

    /// Where what is a user's own lies. A name that makes no good folder gives way to the id.
    pub fn folder_of(&self, user: &User) -> Arc<Path> {
        if user.owner {
            return self.folders.owner.as_path().into();
        }
        let plain = |letter: char| letter.is_alphanumeric() || "-_ ".contains(letter);
        let named = user.name.chars().all(plain) && user.name.len() <= 64 && user.name.trim() == user.name;
        let name = if named { user.name.clone() } else { user.id.to_string() };
        self.folders.home.join("users").join(name).into()
    }

    /// What a user has said of tools.
    pub fn permissions_of(&self, user: &User) -> Arc<Permissions> {
        let mut all = self.permissions.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = if user.owner { self.folders.home.as_path().into() } else { self.folder_of(user) };
        let open = || Arc::new(Permissions::open(folder.join("permissions.json")));
        Arc::clone(all.entry(user.id).or_insert_with(open))
    }

    /// What holds for a tool: what the user said, or else the default.
    pub fn permission(&self, user: &User, tool: &dyn Tool) -> Permission {
        self.permissions_of(user).holding(tool.spec())
    }
}

/// The machine's files and desktop are its owner's.
pub fn is_for(user: &User, spec: &Spec) -> bool {
    user.owner || !spec.has(Effect::OwnersMachine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str, owner: bool) -> User {
        User { id: UserId::new(7), name: name.to_owned(), owner }
    }

    #[test]
    fn a_users_folder_stays_below_the_data_folder() {
        let skills = Arc::new(Skills::open(abilities::skills::Shipped::none(), "/data/skills"));
        let folders = OwnFolders { home: "/data".into(), owner: "/state".into() };
        let hands = Hands::new(Registry::default(), Audit::open("a"), skills, folders, |_| true);
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
            assert_eq!(hands.folder_of(&user(name, owner)).as_ref(), Path::new(folder), "{name}");
        }
    }
}
