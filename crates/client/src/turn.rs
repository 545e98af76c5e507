use std::time::Duration;

use protocol::{ChatRequest, CodeRequest, CodeRunRequest, Event, StopReply, StopRequest, TurnId};
use serde::Serialize;

use crate::client::{Client, ErrorResponse};
use crate::sse::{EventStream, TurnEvent};

/// The number of attempts to reconnect, and the wait before the first.
const ATTEMPTS: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// A turn, followed to its end across lost connections.
pub struct TurnStream<'a> {
    client: &'a Client,
    stream: EventStream,
    id: Option<TurnId>,
    last_event: String,
    failures: u32,
    ended: bool,
    /// True if the output of tools is shown as it arrives, as the user ran the command.
    pub shows_tool_output: bool,
}

impl<'a> TurnStream<'a> {
    /// Sends a message. It is sent again if delivery is uncertain: the server recognizes it by its id.
    pub async fn send_message(client: &'a Client, request: &mut ChatRequest) -> anyhow::Result<Self> {
        request.client_message_id = Some(new_message_id());
        Self::send(client, "/api/chat/stream", request).await
    }

    /// Sends a code request, with the same retries.
    pub async fn send_code_request(client: &'a Client, request: &mut CodeRequest) -> anyhow::Result<Self> {
        request.client_message_id = Some(new_message_id());
        Self::send(client, "/api/code/stream", request).await
    }

    async fn send(client: &'a Client, path: &str, request: &impl Serialize) -> anyhow::Result<Self> {
        let mut wait = FIRST_WAIT;
        for _ in 1..ATTEMPTS {
            match client.events(path, request).await {
                Err(error) if !error.is::<ErrorResponse>() => tokio::time::sleep(wait).await,
                answered => return answered.map(|stream| Self::new(client, stream)),
            }
            wait *= 2;
        }
        Ok(Self::new(client, client.events(path, request).await?))
    }

    /// Starts a turn without a client message id and so without retries: another answer, a command, a build or test.
    pub async fn start(client: &'a Client, path: &str, request: &impl Serialize) -> anyhow::Result<Self> {
        Ok(Self::new(client, client.events(path, request).await?))
    }

    /// Runs a shell command of the user.
    pub async fn run_command(client: &'a Client, request: &CodeRunRequest) -> anyhow::Result<Self> {
        Ok(Self { shows_tool_output: true, ..Self::start(client, "/api/code/run", request).await? })
    }

    fn new(client: &'a Client, stream: EventStream) -> Self {
        Self {
            client,
            stream,
            id: None,
            last_event: String::new(),
            failures: 0,
            ended: false,
            shows_tool_output: false,
        }
    }

    /// Returns the next event, or `None` after the last.
    pub async fn next(&mut self) -> anyhow::Result<Option<TurnEvent>> {
        if self.ended {
            return Ok(None);
        }
        loop {
            let broken = match self.stream.next().await {
                Ok(Some(event)) => {
                    if let Event::Metadata { turn_id, .. } = event.event {
                        self.id = Some(turn_id);
                    }
                    self.last_event.clone_from(&event.id);
                    self.failures = 0;
                    self.ended = event.event.is_last();
                    return Ok(Some(event));
                }
                Ok(None) => anyhow::anyhow!("the connection to the server broke"),
                Err(error) => error,
            };
            self.reconnect(broken).await?;
        }
    }

    async fn reconnect(&mut self, mut broken: anyhow::Error) -> anyhow::Result<()> {
        let Some(id) = self.id else { return Err(broken) };
        while self.failures < ATTEMPTS {
            tokio::time::sleep(FIRST_WAIT * 2_u32.pow(self.failures)).await;
            self.failures += 1;
            match self.client.resume(&format!("/api/chat/turns/{id}"), &self.last_event).await {
                Ok(stream) => {
                    self.stream = stream;
                    return Ok(());
                }
                Err(error) => broken = error,
            }
        }
        Err(broken.context("the connection to the server is lost. The text so far is kept"))
    }

    /// Returns true if the turn's id is known, so that it can be stopped.
    pub const fn can_stop(&self) -> bool {
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

fn new_message_id() -> String {
    host::hex(&host::random_bytes::<16>())
}
