use async_trait::async_trait;
use protocol::{Origin, UserId};

use crate::tool::ToolError;

/// Stores the origins of named values. They are kept apart from the values, which users edit by hand.
#[async_trait]
pub trait ValueOrigins: Send + Sync {
    /// Returns the origins of all values that contain untrusted content.
    async fn all(&self, user: UserId) -> Result<Vec<(String, Vec<Origin>)>, ToolError>;

    /// Sets the origins of a value. With none, the value counts as written by the user.
    async fn set(&self, user: UserId, name: &str, origins: Vec<Origin>) -> Result<(), ToolError>;
}
