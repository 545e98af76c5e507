use std::sync::Arc;

use host::{Clock, IdSource};
use jiff::Zoned;
use memory::Memory;
use store::Store;
use workspace::OpenWorkspaces;

use crate::confirmations::PendingConfirmations;
use crate::error::CompanionError;
use crate::feed::Feed;
use crate::model_source::ModelSource;
use crate::settings::Settings;
use crate::soul::Soul;
use crate::tool_access::ToolAccess;

/// The services that all parts of the companion share. It holds no state of a turn and knows none of the parts that
/// use it.
pub(crate) struct Services {
    pub store: Arc<Store>,
    pub models: Arc<dyn ModelSource>,
    pub soul: Soul,
    pub clock: Arc<dyn Clock>,
    pub current_settings: Box<dyn Fn() -> Settings + Send + Sync>,
    pub feed: Arc<Feed>,
    pub tools: Arc<ToolAccess>,
    pub memory: Memory,
    /// The open workspaces for code, if there are any.
    pub open_workspaces: Option<OpenWorkspaces>,
    pub confirmations: PendingConfirmations,
    /// The source of ids for turns that are not stored, and for tool calls.
    pub ids: IdSource,
}

impl Services {
    pub fn settings(&self) -> Settings {
        (self.current_settings)()
    }

    pub fn workspaces(&self) -> Result<&OpenWorkspaces, CompanionError> {
        let missing = || CompanionError::Refused("there are no workspaces here".to_owned());
        self.open_workspaces.as_ref().ok_or_else(missing)
    }

    /// Returns the current time in the user's time zone.
    pub fn now(&self) -> Zoned {
        self.clock.now().to_zoned(self.clock.time_zone())
    }
}
