//! MCP sessions of other agents: ownership, termination, and invalid messages.

use reqwest::Method;
use serde_json::json;

use crate::mcp_served::{Agent, open};
use crate::support::Client;

async fn in_session(client: &Client, method: Method, session: &str, body: &str) -> u16 {
    let request = client.request(method, "/mcp").header("mcp-session-id", session);
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("content-type", "application/json");
    client.send(request.header("mcp-protocol-version", "2025-11-25").body(body.to_owned())).await.status
}

const LIST: &str = r#"{"jsonrpc": "2.0", "id": 9, "method": "tools/list"}"#;

#[tokio::test]
async fn a_session_belongs_to_the_token_that_opened_it() {
    let stage = open().await;
    let agent = Agent::new(stage.lesser(&["memory.read"]).await).await;
    let session = agent.session.clone().unwrap();
    let own = agent.client.clone();
    assert_eq!(in_session(&own, Method::POST, &session, LIST).await, 200);
    // Neither another token with the same rights nor the owner's may use the session.
    for other in [stage.lesser(&["memory.read"]).await, stage.owner(), stage.person("Bob").await] {
        assert_eq!(in_session(&other, Method::POST, &session, LIST).await, 404);
        assert_eq!(in_session(&other, Method::GET, &session, "").await, 404);
        assert_eq!(in_session(&other, Method::DELETE, &session, "").await, 404);
    }
    assert_eq!(in_session(&own, Method::POST, &session, LIST).await, 200, "it is still there");
    let ended = in_session(&own, Method::DELETE, &session, "").await;
    assert!([200, 204].contains(&ended), "{ended}");
    assert_eq!(in_session(&own, Method::POST, &session, LIST).await, 404, "and then it is not");
}

#[tokio::test]
async fn a_token_that_is_withdrawn_leaves_no_session_behind() {
    let stage = open().await;
    let owner = stage.owner();
    let agent = Agent::new(owner.clone()).await;
    let session = agent.session.clone().unwrap();
    let token = owner.post("/api/tokens/rotate", json!({})).await.json();
    let renewed = stage.with_token(token.as_str().unwrap());
    assert_eq!(in_session(&renewed, Method::POST, &session, LIST).await, 404);
}

#[tokio::test]
async fn what_is_no_json_is_a_bad_request() {
    let stage = open().await;
    let agent = Agent::new(stage.owner()).await;
    let session = agent.session.clone().unwrap();
    for body in ["{", "", "nonsense", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": ", "\u{0}"] {
        assert_eq!(in_session(&agent.client, Method::POST, &session, body).await, 400, "{body:?}");
    }
    for body in ["5", "{}", "[]", "null", "{\"jsonrpc\": \"1.0\"}"] {
        let status = in_session(&agent.client, Method::POST, &session, body).await;
        assert!((400..500).contains(&status), "{body:?}: {status}");
    }
    assert_eq!(in_session(&agent.client, Method::POST, &session, LIST).await, 200);
}
