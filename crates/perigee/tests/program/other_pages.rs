//! Foreign web pages in a signed-in browser must not be able to use its session on any route.

use reqwest::Method;
use serde_json::json;
use server::{Access, routes};

use crate::access::{IN_A_NETWORK, acts, knock};
use crate::lan;
use crate::support::{Setup, Socket, Stage};

#[tokio::test]
async fn another_web_page_cannot_act_for_a_signed_in_browser() {
    let stage = Stage::start().await;
    let cookie = stage.sign_in().await;
    let bare = stage.stranger();
    let (own, other_port) = (stage.address().to_owned(), "http://127.0.0.1:1".to_owned());
    for route in routes().into_iter().filter(acts) {
        let place = format!("{} {}", route.method, route.path);
        let foreign: [&[(&str, &str)]; 5] = [
            &[],
            &[("origin", "https://evil.example")],
            &[("origin", "null")],
            &[("origin", &other_port)],
            &[("origin", &own), ("sec-fetch-site", "cross-site")],
        ];
        for headers in foreign {
            let headers = [&[("cookie", cookie.as_str())], headers].concat();
            let refused = knock(&bare, &route, &headers).await;
            assert_eq!(refused.refusal(), (403, "forbidden".into()), "{place} with {headers:?}");
        }
        // Even with a token, a request from a foreign page is refused.
        let owner = stage.owner();
        let refused = knock(&owner, &route, &[("origin", "https://evil.example")]).await;
        assert_eq!(refused.refusal(), (403, "forbidden".into()), "{place}");
    }
    let browser = stage.with_cookie(&cookie);
    let own_page = browser.request(Method::POST, "/api/chats/new").header("sec-fetch-site", "same-origin");
    assert_eq!(browser.send(own_page.json(&json!({}))).await.status, 200);

    let upgrades: [(&[(&str, &str)], u16); 4] = [
        (&[("origin", "https://evil.example")], 403),
        (&[("sec-fetch-site", "cross-site")], 403),
        (&[("host", "evil.example")], 403),
        (&[], 101),
    ];
    for (headers, status) in upgrades {
        assert_eq!(Socket::refused(&browser, "", headers).await, status, "{headers:?}");
    }
    assert_eq!(Socket::closed_with(&stage.stranger(), "").await, 4001);
}

#[tokio::test]
async fn another_web_page_reads_nothing_with_the_cookie_of_a_signed_in_browser() {
    let stage = Setup::new().await.table(IN_A_NETWORK).start().await;
    lan::until_open(&stage.owner()).await;
    let cookie = stage.sign_in().await;
    let (bare, owner) = (stage.stranger(), stage.owner());
    let (own, other_port) = (stage.address().to_owned(), "http://127.0.0.1:1".to_owned());
    let foreign: [&[(&str, &str)]; 6] = [
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", &other_port)],
        &[("origin", &own), ("sec-fetch-site", "cross-site")],
        // An image, script or frame of a foreign page is only recognizable by this header of the browser.
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
    ];
    for route in routes().into_iter().filter(|route| !acts(route)) {
        let place = format!("{} {}", route.method, route.path);
        let signed_in = [("cookie", cookie.as_str())];
        let usual = knock(&bare, &route, &signed_in).await.status;
        assert_ne!(usual, 401, "{place}");
        for headers in foreign {
            let answer = knock(&bare, &route, &[&signed_in, headers].concat()).await;
            if route.access == Access::Public {
                assert_eq!(answer.status, usual, "{place} with {headers:?}: it says nothing private");
            } else {
                assert_eq!(answer.refusal(), (403, "forbidden".into()), "{place} with {headers:?}");
            }
            // With a token it is no foreign page: browsers send a preflight before a page may add one, and it is
            // refused. `knock` checks that no response is readable to one either.
            assert_eq!(knock(&owner, &route, headers).await.status, usual, "{place} with {headers:?}");
        }
        // Requests of the app's own page, and of a typed address.
        for site in ["same-origin", "none"] {
            let answer = knock(&bare, &route, &[signed_in[0], ("sec-fetch-site", site)]).await;
            assert_eq!(answer.status, usual, "{place} from {site}");
        }
    }
}
