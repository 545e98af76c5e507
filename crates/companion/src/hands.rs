use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use abilities::skills::Skills;
use memory::OwnFolders;
use protocol::{Permission, User, UserId};
use tools::{Audit, Effect, Group, Permissions, Registry, Spec, Tool};

/// What she can do, and what each user permits.
pub struct Hands {
    /// It is exchanged as a whole where a server brings other tools than before.
    registry: RwLock<Arc<Registry>>,
    audit: Audit,
    skills: Arc<Skills>,
    folders: OwnFolders,
    is_on: Box<dyn Fn(Group) -> bool + Send + Sync>,
    permissions: Mutex<HashMap<UserId, Arc<Permissions>>>,
}

impl Hands {
    pub fn new(
        registry: Registry,
        audit: Audit,
        skills: Arc<Skills>,
        folders: OwnFolders,
        is_on: impl Fn(Group) -> bool + Send + Sync + 'static,
    ) -> Self {
        let registry = RwLock::new(Arc::new(registry));
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

    /// The tools as they are now.
    pub fn registry(&self) -> Arc<Registry> {
        Arc::clone(&self.registry.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts what a server brings in the place of what it brought before. What would take another's name is left out.
    pub fn replace(&self, server: &str, tools: Vec<Arc<dyn Tool>>) {
        let mut held = self.registry.write().unwrap_or_else(PoisonError::into_inner);
        let mut registry = Registry::clone(&held);
        for error in registry.replace(server, tools) {
            tracing::warn!("a tool of {server} is left out: {error}");
        }
        *held = Arc::new(registry);
    }

    /// A tool by its name or a tag, if its group is on and it is for this user.
    pub fn find(&self, user: &User, name: &str) -> Option<Arc<dyn Tool>> {
        let registry = self.registry();
        let tool = registry.find(name, |group| self.is_on(group));
        tool.filter(|tool| is_for(user, tool.spec())).cloned()
    }

    /// The tools that this user can have run, asked about or not.
    pub fn permitted(&self, user: &User) -> Vec<Arc<dyn Tool>> {
        let registry = self.registry();
        let on = registry.all(|group| self.is_on(group)).filter(|tool| is_for(user, tool.spec()));
        on.filter(|tool| self.permission(user, tool.as_ref()) != Permission::Block).cloned().collect()
    }

    /// Whether there is a tool of this name, be its group on or off.
    pub fn knows(&self, name: &str) -> bool {
        self.registry().find(name, |_| true).is_some_and(|tool| tool.spec().name == name)
    }

    /// Every tool there is, also of groups that are off.
    pub fn all(&self) -> Vec<Arc<dyn Tool>> {
        self.registry().all(|_| true).cloned().collect()
    }

    /// Where what is a user's own lies.
    pub fn folder_of(&self, user: &User) -> Arc<Path> {
        self.folders.of(user)
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
