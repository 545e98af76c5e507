use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use host::RootDir;
use reqwest::Url;
use tokio::time::timeout;

use super::super::picture;
use crate::web::Web;

/// The largest cover in bytes. Base64 makes it a third longer, and it is stored with the conversation.
const LARGEST: u64 = 150_000;
/// The time to wait for a cover, without which the player works as well.
const PATIENCE: Duration = Duration::from_secs(2);

/// Embeds cover pictures, since the page itself loads nothing from other servers.
pub(crate) struct CoverImages {
    web: Arc<Web>,
    patience: Duration,
}

impl CoverImages {
    pub fn new(web: Arc<Web>) -> Self {
        Self { web, patience: PATIENCE }
    }

    /// Returns a small picture as a `data:` URL, if it is available in time.
    pub async fn get(&self, address: &str) -> Option<String> {
        let url = Url::parse(address).ok()?;
        let bytes = timeout(self.patience, self.bytes(url)).await.ok().flatten()?;
        let content_type = picture::content_type(&bytes).filter(|_| bytes.len() as u64 <= LARGEST)?;
        Some(format!("data:{content_type};base64,{}", STANDARD.encode(bytes)))
    }

    async fn bytes(&self, url: Url) -> Option<Vec<u8>> {
        match url.scheme() {
            "http" | "https" => self.web.picture(url).await.ok().map(|page| page.body),
            "file" => tokio::task::spawn_blocking(move || file(&url)).await.ok().flatten(),
            _ => None,
        }
    }
}

/// Reads a local file, which players on this machine mostly refer to.
fn file(url: &Url) -> Option<Vec<u8>> {
    let path = url.to_file_path().ok()?;
    RootDir::open(path.parent()?).ok()?.read(path.file_name()?, LARGEST).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::online::test_server::{TestServer, http};

    const WEBP: &str = "RIFF\u{1}\u{1}\u{1}\u{1}WEBPdata";
    const SHOWN: &str = "data:image/webp;base64,UklGRgEBAQFXRUJQZGF0YQ==";

    #[tokio::test]
    async fn a_small_picture_comes_along_and_nothing_else_does() {
        let server = TestServer::open(|asked| match asked.path() {
            "/cover" => http(200, "image/jpeg", WEBP),
            "/large" => http(200, "image/webp", &format!("{WEBP}{}", "x".repeat(200_000))),
            "/svg" => http(200, "image/svg+xml", "<svg onload=alert(1)>"),
            "/page" => http(200, "text/html", WEBP),
            "/inside" => {
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n".into()
            }
            _ => http(404, "image/webp", WEBP),
        })
        .await;
        let covers = CoverImages::new(server.web());
        assert_eq!(covers.get("http://i.example/cover").await.as_deref(), Some(SHOWN));
        for address in [
            "http://i.example/large",
            "http://i.example/svg",
            "http://i.example/page",
            "http://i.example/inside",
            "http://i.example/none",
            "http://127.0.0.1/cover",
            "data:image/png;base64,AAAA",
            "javascript:alert(1)",
            "nonsense",
        ] {
            assert_eq!(covers.get(address).await, None, "{address}");
        }
    }

    #[tokio::test]
    async fn a_picture_that_does_not_come_is_not_waited_for() {
        let silent = TestServer::open(|_| String::new()).await;
        let covers = CoverImages { patience: Duration::from_millis(50), ..CoverImages::new(silent.web()) };
        assert_eq!(covers.get("http://i.example/cover").await, None);
        silent.gone().await;
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_file_of_a_player_is_read_if_it_is_a_small_picture() {
        let server = TestServer::open(|_| String::new()).await;
        let covers = CoverImages::new(server.web());
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            Url::from_file_path(path).unwrap().to_string()
        };
        assert_eq!(covers.get(&write("my cover.png", WEBP)).await.as_deref(), Some(SHOWN));
        let secret = write("secret.png", "the secret");
        let large = write("large.webp", &format!("{WEBP}{}", "x".repeat(200_000)));
        let none = format!("{secret}.not-there");
        for address in [&secret, &large, &none, "file:///", "file:///dev/zero", "file://host/share/cover.png"]
        {
            assert_eq!(covers.get(address).await, None, "{address}");
        }
    }
}
