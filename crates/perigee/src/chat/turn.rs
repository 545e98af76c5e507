use std::time::Duration;

use protocol::{ChatRequest, CodeRequest, CodeRunRequest, Event, StopReply, StopRequest, TurnId};
use serde::Serialize;

use crate::client::{Client, EventStream, Refused, TurnEvent};

/// The number of attempts to reconnect, and the wait before the first.
const TRIES: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// A turn, followed to its end across lost connections.
pub struct Turn<'a> {
    client: &'a Client,
    stream: EventStream,
    id: Option<TurnId>,
    last: String,
    failures: u32,
    over: bool,
    /// True if tool output is printed as it arrives, as the user ran the command.
    pub echoes: bool,
}

impl<'a> Turn<'a> {
    /// Sends a message. It is sent again if delivery is uncertain: the server recognizes it by its id.
    pub async fn say(client: &'a Client, request: &mut ChatRequest) -> anyhow::Result<Self> {
        request.client_message_id = Some(fresh_id());
        Self::begin(client, "/api/chat/stream", request).await
    }

    /// Sends a code request, with the same retries.
    pub async fn work(client: &'a Client, request: &mut CodeRequest) -> anyhow::Result<Self> {
        request.client_message_id = Some(fresh_id());
        Self::begin(client, "/api/code/stream", request).await
    }

    async fn begin(client: &'a Client, path: &str, request: &impl Serialize) -> anyhow::Result<Self> {
        let mut wait = FIRST_WAIT;
        for _ in 1..TRIES {
            match client.events(path, request).await {
                Err(error) if !error.is::<Refused>() => tokio::time::sleep(wait).await,
                answered => return answered.map(|stream| Self::new(client, stream)),
            }
            wait *= 2;
        }
        Ok(Self::new(client, client.events(path, request).await?))
    }

    /// Starts a turn without a client message id and so without retries: another answer, a command, a build or test.
    pub async fn run(client: &'a Client, path: &str, request: &impl Serialize) -> anyhow::Result<Self> {
        Ok(Self::new(client, client.events(path, request).await?))
    }

    /// Runs a shell command of the user.
    pub async fn command(client: &'a Client, request: &CodeRunRequest) -> anyhow::Result<Self> {
        Ok(Self { echoes: true, ..Self::run(client, "/api/code/run", request).await? })
    }

    fn new(client: &'a Client, stream: EventStream) -> Self {
        Self { client, stream, id: None, last: String::new(), failures: 0, over: false, echoes: false }
    }

    /// Returns the next event, or `None` after the last.
    pub async fn next(&mut self) -> anyhow::Result<Option<TurnEvent>> {
        if self.over {
            return Ok(None);
        }
        loop {
            let broken = match self.stream.next().await {
                Ok(Some(event)) => {
                    if let Event::Metadata { turn_id, .. } = event.event {
                        self.id = Some(turn_id);
                    }
                    self.last.clone_from(&event.id);
                    self.failures = 0;
                    self.over = event.event.is_last();
                    return Ok(Some(event));
                }
                Ok(None) => anyhow::anyhow!("the connection to the server broke"),
                Err(error) => error,
            };
            self.take_up(broken).await?;
        }
    }

    async fn take_up(&mut self, mut broken: anyhow::Error) -> anyhow::Result<()> {
        let Some(id) = self.id else { return Err(broken) };
        while self.failures < TRIES {
            tokio::time::sleep(FIRST_WAIT * 2_u32.pow(self.failures)).await;
            self.failures += 1;
            match self.client.resume(&format!("/api/chat/turns/{id}"), &self.last).await {
                Ok(stream) => {
                    self.stream = stream;
                    return Ok(());
                }
                Err(error) => broken = error,
            }
        }
        Err(broken.context("the connection to the server is lost. What had come is kept"))
    }

    /// Returns true if the turn's id is known, so that it can be stopped.
    pub const fn has_begun(&self) -> bool {
        self.id.is_some()
    }

    /// Stops the turn; its last event still arrives.
    pub async fn stop(&self) -> anyhow::Result<()> {
        if let Some(turn_id) = self.id {
            let _: StopReply = self.client.post("/api/chat/stop", &StopRequest { turn_id }).await?;
        }
        Ok(())
    }
}

fn fresh_id() -> String {
    host::hex(&host::random_bytes::<16>())
}
