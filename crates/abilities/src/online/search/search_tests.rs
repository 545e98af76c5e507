use std::path::Path;
use std::time::Duration;

use host::Secret;
use serde_json::json;
use tools::{Origin, Tool as _, ToolError};

use super::*;
use crate::online::test_server::{ReceivedRequest, TestServer, http, json as answer};
use crate::test_support::{invocation, settings};

fn search(brave: Option<&TestServer>, searxng: Option<&TestServer>) -> SearchEngines {
    let settings = settings(|config| {
        let engines = &mut config.builtin_tools.web_search;
        engines.brave.enabled = brave.is_some();
        engines.brave.api_key = Secret::new("key-of-mine");
        engines.searxng.enabled = searxng.is_some();
        if let Some(server) = searxng {
            engines.searxng.url = config::Url::parse(server.url("/base/").as_str()).unwrap();
        }
    });
    model::install_crypto();
    let base = brave.map_or(Url::parse("http://127.0.0.1:1").unwrap(), |server| server.url("/"));
    SearchEngines::new(settings, ServiceClient::within(Duration::from_millis(500)), base)
}

fn brave_results(_: &ReceivedRequest) -> String {
    answer(&json!({"web": {"results": [
        {"title": "The <strong>Moon</strong>", "url": "https://www.moon.example/a", "description": "Tides &amp; <b>light</b>", "age": "2 days ago"},
        {"title": "Again", "url": "https://www.moon.example/a", "description": "the same"},
        {"title": "Bad", "url": "javascript:alert(1)"},
        {"title": "Worse", "url": 7},
        {"url": "http://sea.example/", "description": null},
        "nonsense",
    ]}}))
}

fn searxng_results(_: &ReceivedRequest) -> String {
    answer(
        &json!({"results": [{"title": "Sea", "url": "https://sea.example/x", "content": "Deep &lt;blue&gt;"}]}),
    )
}

#[tokio::test]
async fn results_are_numbered_clean_and_marked_as_words_of_others() {
    let server = TestServer::open(brave_results).await;
    let tool = tools::tool(SearchTool { search: search(Some(&server), None) }).unwrap();
    let said =
        tool.run(invocation(json!({"query": " moon  light ", "count": 5}), Path::new(""))).await.unwrap();
    assert_eq!(
        said.text,
        "Results for “moon  light”. Cite what you use by its number, such as [1].\n\n\
         [1] The Moon (moon.example, 2 days ago)\nhttps://www.moon.example/a\nTides & light\n\n\
         [2] sea.example (sea.example)\nhttp://sea.example/\n"
    );
    let command = said.command.unwrap();
    assert_eq!(command.action, "web_search");
    assert_eq!(
        command.payload["results"][0],
        json!({"title": "The Moon", "url": "https://www.moon.example/a", "text": "Tides & light", "site": "moon.example", "age": "2 days ago"})
    );
    assert_eq!(
        said.origins,
        ["https://www.moon.example/a", "http://sea.example/"].map(|url| Origin::Search(url.into()))
    );
    let asked = &server.requests()[0];
    assert_eq!(asked.path(), "/res/v1/web/search");
    assert_eq!(asked.query("q").as_deref(), Some("moon light"));
    assert_eq!(asked.query("count").as_deref(), Some("5"));
    assert_eq!(asked.header("x-subscription-token"), Some("key-of-mine"));
}

#[tokio::test]
async fn one_engine_stands_in_for_the_other() {
    let broken = TestServer::open(|_| http(500, "text/plain", "no")).await;
    let empty = TestServer::open(|_| answer(&json!({"web": {}}))).await;
    let good = TestServer::open(searxng_results).await;
    for first in [&broken, &empty] {
        let found = search(Some(first), Some(&good)).find("sea", 3).await.unwrap();
        assert_eq!((found[0].title.as_str(), found[0].text.as_str()), ("Sea", "Deep <blue>"));
    }
    let asked = &good.requests()[0];
    assert_eq!((asked.path(), asked.query("format").as_deref()), ("/base/search", Some("json")));
    assert_eq!(asked.header("x-subscription-token"), None, "the key is Brave's alone");
}

#[tokio::test]
async fn each_trouble_is_one_sentence() {
    let said = |status: u16, kind: &'static str, body: &'static str| {
        TestServer::open(move |_| http(status, kind, body))
    };
    let brave = [
        (said(401, "application/json", "{}").await, "Brave does not accept the key"),
        (said(422, "application/json", "{}").await, "Brave does not accept the key"),
        (said(429, "application/json", "{}").await, "Brave was asked too often. Try again later."),
        (said(503, "text/html", "down").await, "Brave answered with 503."),
        (
            said(200, "application/json", "{\"web\":").await,
            "Brave answered with something that cannot be read.",
        ),
        (TestServer::open(|_| String::new()).await, "Brave did not answer in time."),
        (
            TestServer::open(|_| "HTTP/1.1 429 No\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n".into())
                .await,
            "Brave was asked too often. Try again in 9 seconds.",
        ),
    ];
    for (server, words) in &brave {
        let error = search(Some(server), None).find("moon", 3).await.unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    }
    for server in [said(403, "text/html", "no").await, said(200, "text/html", "<!doctype html>").await] {
        let error = search(None, Some(&server)).find("moon", 3).await.unwrap_err();
        assert_eq!(error, SearchError::NoJsonFormat);
    }
    let none = search(None, None).find("moon", 3).await.unwrap_err();
    assert_eq!(ToolError::from(none.clone()), ToolError::Unavailable(none.to_string()));
    assert!(none.to_string().starts_with("No search engine is set up."), "{none}");
    let gone = TestServer::open(searxng_results).await;
    let lost = search(None, Some(&gone));
    drop(gone);
    let error = lost.find("moon", 3).await.unwrap_err().to_string();
    assert_eq!(error, "SearXNG cannot be reached. Is there a network?");
}

#[tokio::test]
async fn nothing_found_and_far_too_much_are_both_told() {
    let empty = TestServer::open(|_| answer(&json!({"results": []}))).await;
    let tool = tools::tool(SearchTool { search: search(None, Some(&empty)) }).unwrap();
    let run = async |arguments| tool.run(invocation(arguments, Path::new(""))).await;
    let said = run(json!({"query": "xyzzy"})).await.unwrap();
    assert_eq!(said.text, "Nothing was found for “xyzzy”. Try other words.");
    assert_eq!(said.command.unwrap().payload, json!({"query": "xyzzy", "results": []}));
    assert!(matches!(run(json!({"query": "  "})).await, Err(ToolError::Impossible(_))));
    for bad in [
        json!({"query": "a", "count": 21}),
        json!({"query": "a", "count": 0}),
        json!({"query": ""}),
        json!({}),
    ] {
        assert!(tool.spec().check(bad.as_object().unwrap()).is_err(), "{bad}");
    }
    let flood = TestServer::open(|_| {
        let result = |n: usize| json!({"title": "t".repeat(3_000), "url": format!("https://a.example/{n}"), "content": "c ".repeat(9_000)});
        answer(&json!({"results": (0..60).map(result).collect::<Vec<_>>()}))
    })
    .await;
    let tool = tools::tool(SearchTool { search: search(None, Some(&flood)) }).unwrap();
    let said = tool.run(invocation(json!({"query": "a", "count": 20}), Path::new(""))).await.unwrap();
    assert!(said.text.chars().count() <= 7_500 && !said.text.contains("are left out"));
    let shown = said.command.unwrap().payload["results"].as_array().unwrap().len();
    assert!(said.text.contains(&format!("[{shown}] ")) && !said.text.contains(&format!("[{}] ", shown + 1)));
    let long = "moon ".repeat(200);
    search(None, Some(&flood)).find(&long, 3).await.unwrap();
    assert!(flood.requests().last().unwrap().query("q").unwrap().chars().count() <= 400);
}

#[tokio::test]
async fn a_search_that_is_stopped_lets_go_of_its_connection() {
    let silent = TestServer::open(|_| String::new()).await;
    let mut patient = search(None, Some(&silent));
    patient.service = ServiceClient::new().unwrap();
    let tool = tools::tool(SearchTool { search: patient }).unwrap();
    let invocation = invocation(json!({"query": "moon"}), Path::new(""));
    let cancel = invocation.cancel.clone();
    let (said, ()) = tokio::join!(tools::run(&tool, invocation), async {
        silent.arrived().await;
        cancel.cancel();
    });
    assert_eq!(said, Err(ToolError::Stopped));
    silent.gone().await;
}
