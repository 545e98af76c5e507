use serde_json::Value;
use tools::ToolError;

use crate::online::service::ServiceClient;

/// The name of the service in messages.
pub const NAME: &str = "Open-Meteo";

/// Returns the service's answer, or its error message.
pub async fn asked(service: &ServiceClient, request: reqwest::RequestBuilder) -> Result<Value, ToolError> {
    let reply = service.send(request, NAME).await?;
    match reply.status.as_u16() {
        200 => Ok(reply.json(NAME)?),
        429 => Err(ToolError::Failed(format!("{NAME} was asked too often. Try again in a while."))),
        status => Err(ToolError::Failed(format!("{NAME} answered with {status}. Try again later."))),
    }
}
