use async_trait::async_trait;
use protocol::{Origin, UserId};

use crate::tool::ToolError;

/// Knows whose words stand in values that are kept under a name. It is apart from the values, which people edit by hand.
#[async_trait]
pub trait ValueOrigins: Send + Sync {
    /// Those of all values in which there are others' words.
    async fn all(&self, user: UserId) -> Result<Vec<(String, Vec<Origin>)>, ToolError>;

    /// Nobody's, and it is as if the user had written it.
    async fn set(&self, user: UserId, name: &str, origins: Vec<Origin>) -> Result<(), ToolError>;
}
