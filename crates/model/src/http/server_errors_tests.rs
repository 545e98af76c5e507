use serde_json::json;

use super::*;

fn messages() -> ServerErrors {
    let url = Url::parse("https://me:pass@example.org/v1").unwrap();
    ServerErrors::new(&CHAT, &url, "Start the server", Secret::new("sk-secret"))
}

#[test]
fn each_status_says_what_to_do() {
    let cases = [
        (401, r#"{"error":{"message":"bad key"}}"#, "refused the key"),
        (404, r#"{"error":"model 'x' not found"}"#, "no model named “tiny”"),
        (429, "", "Wait a little"),
        (503, r#"{"error":{"message":"Loading model"}}"#, "Loading model"),
        (500, "oops", "failed (status 500)"),
        (400, r#"{"detail":"temperature too high"}"#, "temperature too high"),
        (502, "<html>Bad gateway</html>", "a web page"),
    ];
    for (status, body, expected) in cases {
        let error = messages().status(StatusCode::from_u16(status).unwrap(), "tiny", body).to_string();
        assert!(error.contains(expected), "{status}: {error}");
        assert!(error.contains("https://example.org/v1"), "{status}: {error}");
    }
}

#[test]
fn who_is_asked_for_vectors_is_blamed_with_the_settings_of_vectors() {
    let url = Url::parse("https://example.org/v1").unwrap();
    let messages = ServerErrors::new(&EMBEDDINGS, &url, "Start the server", Secret::default());
    let status = |code| messages.status(StatusCode::from_u16(code).unwrap(), "tiny", "");
    let errors = [
        messages.silent(),
        messages.slow_to_begin(5),
        messages.slow_to_end(5),
        messages.broke_off(),
        messages.not_pulled("tiny"),
        messages.garbled(false),
        messages.web_page(),
        messages.empty(),
        messages.moved(None),
        EMBEDDINGS.bad_address(),
        status(404),
        status(429),
        status(500),
        status(503),
    ];
    for error in errors {
        let words = error.to_string();
        assert!(!words.contains("llm.") && !words.contains("chat"), "{words}");
    }
}

#[test]
fn a_prompt_that_is_too_long_is_recognised() {
    let cases = [
        (
            json!({ "error": { "type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 4096, "message": "too long" } }),
            9000,
            4096,
        ),
        (
            json!({ "error": { "code": "context_length_exceeded", "message": "This model's maximum context length is 4097 tokens, however you requested 5000 tokens (4000 in the messages, 1000 in the completion)." } }),
            5000,
            4097,
        ),
        (
            json!({ "message": "'max_tokens' is too large: 1024. This model's maximum context length is 2048 tokens and your request has 1900 input tokens" }),
            2049,
            2048,
        ),
    ];
    for (value, needed, limit) in cases {
        match context_overflow(&value) {
            Some(ModelError::ContextFull { needed: n, limit: l }) => {
                assert_eq!((n, l), (needed, limit), "{value}");
            }
            other => panic!("{value}: {other:?}"),
        }
    }
    assert!(context_overflow(&json!({ "error": "no such model" })).is_none());
}

#[test]
fn no_secret_is_ever_quoted() {
    let body = json!({ "error": { "message": "Incorrect API key provided: sk-secret" } }).to_string();
    let error = messages().status(StatusCode::UNAUTHORIZED, "m", &body).to_string();
    assert!(error.contains("Incorrect API key"), "{error}");
    assert!(!error.contains("sk-secret") && !error.contains("pass"), "{error}");
}

#[test]
fn a_quote_is_one_short_line() {
    let quote = messages().quote(&format!("a\n  b {}", "ü".repeat(1000)));
    assert!(quote.starts_with("a b ü"));
    assert_eq!(quote.chars().count(), LONGEST_QUOTE + 1);
}
