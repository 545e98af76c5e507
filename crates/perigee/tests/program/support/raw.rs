use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::soon;

/// The response on a raw connection.
#[derive(Debug)]
pub struct RawAnswer {
    pub status: u16,
    pub text: String,
}

/// Sends these bytes and reads the head of the response and some of its body. Allows requests that a regular client
/// would never send.
pub async fn raw_request(host: &str, bytes: &[u8]) -> RawAnswer {
    soon("an answer to a raw request", async {
        let mut socket = TcpStream::connect(host).await.expect("the server listens");
        // The server may respond and close before everything is sent.
        let _ = socket.write_all(bytes).await;
        let mut received = Vec::new();
        let mut buffer = [0; 4096];
        while !is_whole(&received) {
            match socket.read(&mut buffer).await {
                Ok(0) | Err(_) => break,
                Ok(read) => received.extend_from_slice(&buffer[..read]),
            }
        }
        let text = String::from_utf8_lossy(&received).into_owned();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
        RawAnswer { status: status.unwrap_or_else(|| panic!("no answer: {text:?}")), text }
    })
    .await
}

fn is_whole(received: &[u8]) -> bool {
    let text = String::from_utf8_lossy(received);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    body.len() >= length.unwrap_or(1)
}
