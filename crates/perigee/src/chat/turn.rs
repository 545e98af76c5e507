use std::time::Duration;

use protocol::{ChatRequest, CodeRequest, CodeRunRequest, Event, StopReply, StopRequest, TurnId};
use serde::Serialize;

use crate::client::{Client, EventStream, Refused, TurnEvent};

/// How often a lost connection is taken up again, and how long the first wait is.
const TRIES: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// A turn, followed to its end over a connection that may break.
pub struct Turn<'a> {
    client: &'a Client,
    stream: EventStream,
    id: Option<TurnId>,
    last: String,
    failures: u32,
    over: bool,
    /// Whether somebody waits for all that is printed, since it is their own command.
    pub echoes: bool,
}

impl<'a> Turn<'a> {
    /// Says something. The message is sent again where it is not certain that it arrived: the server knows it
    /// by its id.
    pub async fn say(client: &'a Client, request: &mut ChatRequest) -> anyhow::Result<Self> {
        request.client_message_id = Some(fresh_id());
        Self::begin(client, "/api/chat/stream", request).await
    }

    /// Asks for work on code, in the same way.
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

    /// Begins what need not be known again by an id: another answer, a command, building and testing.
    pub async fn run(client: &'a Client, path: &str, request: &impl Serialize) -> anyhow::Result<Self> {
        Ok(Self::new(client, client.events(path, request).await?))
    }

    /// Runs a command of the user's own.
    pub async fn command(client: &'a Client, request: &CodeRunRequest) -> anyhow::Result<Self> {
        Ok(Self { echoes: true, ..Self::run(client, "/api/code/run", request).await? })
    }

    fn new(client: &'a Client, stream: EventStream) -> Self {
        Self { client, stream, id: None, last: String::new(), failures: 0, over: false, echoes: false }
    }

    /// The next event; `None` after the last one.
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

    /// Whether it is known by a name, by which it can be stopped.
    pub const fn has_begun(&self) -> bool {
        self.id.is_some()
    }

    /// Stops the turn; its last event still comes.
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
