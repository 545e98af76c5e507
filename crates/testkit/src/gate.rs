use tokio::sync::watch;

/// A point at which a scripted answer pauses until the test lets it continue.
#[derive(Debug, Clone)]
pub struct Gate {
    open: watch::Sender<bool>,
    reached: watch::Sender<bool>,
}

impl Gate {
    pub fn closed() -> Self {
        Self { open: watch::Sender::new(false), reached: watch::Sender::new(false) }
    }

    /// Releases everything that waits, now or later.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Returns once an answer has reached the gate, so that everything before it has been sent.
    pub async fn reached(&self) {
        wait_until_set(&self.reached).await;
    }

    /// Waits until the gate is open.
    pub async fn pass(&self) {
        self.reached.send_replace(true);
        wait_until_set(&self.open).await;
    }
}

async fn wait_until_set(flag: &watch::Sender<bool>) {
    let mut flag = flag.subscribe();
    flag.wait_for(|set| *set).await.expect("the gate holds its own sender");
}
