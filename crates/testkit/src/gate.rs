use tokio::sync::watch;

/// A place where a scripted answer waits until the test lets it go on.
#[derive(Debug, Clone)]
pub struct Gate {
    open: watch::Sender<bool>,
    reached: watch::Sender<bool>,
}

impl Gate {
    pub fn closed() -> Self {
        Self { open: watch::Sender::new(false), reached: watch::Sender::new(false) }
    }

    /// Lets through what waits, and whatever comes later.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Returns once an answer stands before the gate, so that all before it has been sent.
    pub async fn reached(&self) {
        wait_until_set(&self.reached).await;
    }

    /// Stands before the gate until it is open.
    pub async fn pass(&self) {
        self.reached.send_replace(true);
        wait_until_set(&self.open).await;
    }
}

async fn wait_until_set(flag: &watch::Sender<bool>) {
    let mut flag = flag.subscribe();
    flag.wait_for(|set| *set).await.expect("the gate holds its own sender");
}
