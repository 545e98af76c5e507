use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use abilities::skills::Skills;
use memory::UserFolders;
use protocol::{Permission, User, UserId};
use tools::{AuditLog, Effect, Group, Permissions, Tool, ToolDefinition, ToolRegistry};

/// The registered tools and the permissions of each user.
pub struct ToolAccess {
    /// The registry, which is replaced as a whole when the tools of an MCP server change.
    registry: RwLock<Arc<ToolRegistry>>,
    audit: Arc<AuditLog>,
    skills: Arc<Skills>,
    folders: UserFolders,
    is_on: Box<dyn Fn(Group) -> bool + Send + Sync>,
    permissions: Mutex<HashMap<UserId, Arc<Permissions>>>,
}

impl ToolAccess {
    pub fn new(
        registry: ToolRegistry,
        audit: Arc<AuditLog>,
        skills: Arc<Skills>,
        folders: UserFolders,
        is_on: impl Fn(Group) -> bool + Send + Sync + 'static,
    ) -> Self {
        let registry = RwLock::new(Arc::new(registry));
        Self { registry, audit, skills, folders, is_on: Box::new(is_on), permissions: Mutex::default() }
    }

    pub fn audit(&self) -> &Arc<AuditLog> {
        &self.audit
    }

    pub fn skills(&self) -> &Arc<Skills> {
        &self.skills
    }

    pub fn is_on(&self, group: Group) -> bool {
        (self.is_on)(group)
    }

    /// Returns the current tools.
    pub fn registry(&self) -> Arc<ToolRegistry> {
        Arc::clone(&self.registry.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the tools of an MCP server. A tool whose name is taken by another is left out.
    pub fn replace(&self, server: &str, tools: Vec<Arc<dyn Tool>>) {
        let mut held = self.registry.write().unwrap_or_else(PoisonError::into_inner);
        let mut registry = ToolRegistry::clone(&held);
        for error in registry.replace(server, tools) {
            tracing::warn!("a tool of {server} is left out: {error}");
        }
        *held = Arc::new(registry);
    }

    /// Finds a tool by its name or a tag, if its group is on and the user may use it.
    pub fn find(&self, user: &User, name: &str) -> Option<Arc<dyn Tool>> {
        let registry = self.registry();
        let tool = registry.find(name, |group| self.is_on(group));
        tool.filter(|tool| may_use(user, tool.spec())).cloned()
    }

    /// Returns the tools that are not blocked for this user, including those that need a confirmation.
    pub fn permitted(&self, user: &User) -> Vec<Arc<dyn Tool>> {
        let registry = self.registry();
        let on = registry.all(|group| self.is_on(group)).filter(|tool| may_use(user, tool.spec()));
        on.filter(|tool| self.permission(user, tool.as_ref()) != Permission::Block).cloned().collect()
    }

    /// Returns true if the user may use the tool of this name, possibly after a confirmation.
    pub fn permits(&self, user: &User, name: &str) -> bool {
        self.permitted(user).iter().any(|tool| tool.spec().name == name)
    }

    /// Returns true if there is a tool of this name, even in a group that is off.
    pub fn knows(&self, name: &str) -> bool {
        self.registry().find(name, |_| true).is_some_and(|tool| tool.spec().name == name)
    }

    /// Returns all tools, including those of groups that are off.
    pub fn all(&self) -> Vec<Arc<dyn Tool>> {
        self.registry().all(|_| true).cloned().collect()
    }

    /// Returns the folder of a user's own files.
    pub fn folder_of(&self, user: &User) -> Arc<Path> {
        self.folders.of(user)
    }

    /// Returns the permissions that a user has set.
    pub fn permissions_of(&self, user: &User) -> Arc<Permissions> {
        let mut all = self.permissions.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = if user.owner { self.folders.home.as_path().into() } else { self.folder_of(user) };
        let open = || Arc::new(Permissions::open(folder.join("permissions.json")));
        Arc::clone(all.entry(user.id).or_insert_with(open))
    }

    /// Returns the permission for a tool: the user's setting or the default.
    pub fn permission(&self, user: &User, tool: &dyn Tool) -> Permission {
        self.permissions_of(user).holding(tool.spec())
    }
}

/// Returns true if a user may use a tool. Tools for the machine's files and desktop are for the owner alone.
pub fn may_use(user: &User, spec: &ToolDefinition) -> bool {
    user.owner || !spec.has(Effect::OwnersMachine)
}
