use rmcp::transport::auth::OAuthTokenResponse;
use serde_json::json;

use super::*;

fn token(text: &str, scopes: &[&str]) -> StoredCredentials {
    let answer = json!({"access_token": text, "token_type": "bearer"});
    let answer: OAuthTokenResponse = serde_json::from_value(answer).unwrap();
    let scopes = scopes.iter().map(ToString::to_string).collect();
    StoredCredentials::new("us".to_owned(), Some(answer), scopes, None)
}

fn at(folder: &Path, url: &str) -> ServerSignIn {
    ServerSignIn::new(folder, "docs", url, McpOauth::default())
}

#[tokio::test]
async fn it_is_kept_for_one_server_and_what_comes_after_signing_out_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("sign_ins");
    let docs = at(&home, "https://a.example/mcp");
    let before = docs.file.current_handle();
    before.save(token("one", &[])).await.unwrap();
    assert!(at(&home, "https://a.example/mcp").is_done(), "it is there after a start");
    assert!(!at(&home, "https://b.example/mcp").is_done(), "another address is another server");
    assert!(!ServerSignIn::new(&home, "other", "https://a.example/mcp", McpOauth::default()).is_done());
    docs.sign_out().await.unwrap();
    before.save(token("renewed by a conversation of before", &[])).await.unwrap();
    assert!(!docs.is_done());
    assert!(before.load().await.unwrap().is_none());
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 0, "no file is left");
    docs.sign_out().await.unwrap();
    docs.file.current_handle().save(token("two", &[])).await.unwrap();
    assert!(at(&home, "https://a.example/mcp").is_done());
}

#[tokio::test]
async fn more_rights_are_asked_for_beside_those_that_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let docs = at(folder.path(), "https://a.example/mcp");
    let narrow = "Bearer error=\"insufficient_scope\", scope=\"write read\"";
    assert_eq!(docs.scopes(Some(narrow)), ["write", "read"]);
    docs.file.current_handle().save(token("one", &["read"])).await.unwrap();
    assert_eq!(docs.scopes(Some(narrow)), ["read", "write"]);
    assert_eq!(
        docs.scopes(Some("Bearer scope=\"write\"")),
        Vec::<String>::new(),
        "a first sign-in goes by the server"
    );
    let oauth = McpOauth { scopes: vec!["all".to_owned()], ..McpOauth::default() };
    let told = ServerSignIn::new(folder.path(), "docs", "https://a.example/mcp", oauth);
    assert_eq!(told.scopes(Some(narrow)), ["all"], "what you wrote goes before all");
}

#[test]
fn a_browser_is_sent_to_pages_only() {
    for safe in ["https://a.example/x?state=s", "http://127.0.0.1:9/x?state=s", "http://localhost/x?state=s"]
    {
        assert_eq!(state_of(safe).as_deref(), Ok("s"));
    }
    let unsafe_ones = [
        "javascript:alert(1)?state=s",
        "file:///etc/passwd?state=s",
        "http://a.example/x?state=s",
        "vscode://x?state=s",
        "https://a.example/x",
        "nothing",
    ];
    for page in unsafe_ones {
        assert!(state_of(page).is_err(), "{page}");
    }
}
