use super::*;
use crate::online::test_server::{TestServer, http};

async fn ask(server: &TestServer, path: &str) -> Result<ServiceResponse, ServiceError> {
    let service = ServiceClient::within(Duration::from_millis(400));
    service.send(service.request(Method::GET, server.url(path)), "the service").await
}

#[tokio::test]
async fn answers_are_read_whole_and_redirects_stay_where_they_are() {
    let other = TestServer::open(|_| http(200, "text/plain", "taken elsewhere")).await;
    let elsewhere = other.url("/stolen").to_string();
    let server = TestServer::open(move |request| match request.path() {
        "/a" => http(200, "application/json", "{\"a\":1}"),
        "/here" => "HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n".into(),
        "/round" => "HTTP/1.1 302 Found\r\nLocation: /round\r\nContent-Length: 0\r\n\r\n".into(),
        "/there" => format!("HTTP/1.1 302 Found\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\n\r\n"),
        "/late" => "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n".into(),
        "/cut" => "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nshort".into(),
        _ => http(200, "text/plain", &"x".repeat(MOST_BYTES + 1)),
    })
    .await;
    assert_eq!(ask(&server, "/a").await.unwrap().json("it").unwrap()["a"], 1);
    assert_eq!(ask(&server, "/here").await.unwrap().json("it").unwrap()["a"], 1);
    for path in ["/there", "/round"] {
        assert_eq!(ask(&server, path).await.unwrap().status, StatusCode::FOUND, "{path}");
    }
    assert_eq!(other.count(), 0, "nobody else is asked");
    let late = ask(&server, "/late").await.unwrap();
    assert_eq!((late.status.as_u16(), late.retry_after), (429, Some(7)));
    assert_eq!(ask(&server, "/cut").await.unwrap_err(), ServiceError::Cut("the service".into()));
    assert_eq!(ask(&server, "/flood").await.unwrap_err(), ServiceError::TooLarge("the service".into()));
    assert_eq!(
        ask(&other, "/").await.unwrap().json("it").unwrap_err().to_string(),
        "it answered with something that cannot be read."
    );
}

#[tokio::test]
async fn who_is_silent_and_who_is_slow_are_told_apart() {
    let server = TestServer::open(|_| String::new()).await;
    assert_eq!(ask(&server, "/").await.unwrap_err(), ServiceError::Slow("the service".into()));
    let gone = server.url("/");
    drop(server);
    let service = ServiceClient::within(Duration::from_secs(5));
    let silent = service.send(service.request(Method::GET, gone), "the service").await;
    assert_eq!(silent.unwrap_err().to_string(), "the service cannot be reached. Is there a network?");
}

#[test]
fn paths_are_put_beneath_the_address() {
    for (base, expected) in [
        ("http://localhost:8888", "http://localhost:8888/search"),
        ("http://localhost:8888/", "http://localhost:8888/search"),
        ("http://nas/searx/?lang=de#x", "http://nas/searx/search"),
    ] {
        assert_eq!(with_path(&Url::parse(base).unwrap(), "/search").as_str(), expected);
    }
}
