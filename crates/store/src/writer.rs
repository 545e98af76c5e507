use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::{Result, StoreError};

/// How much of what is acknowledged survives the loss of power. Nothing is lost when only the program dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Durability {
    /// The last moments of a log may be lost.
    Log,
    /// On the disk before it is acknowledged: what a person wrote, and what was promised to them.
    Person,
}

/// Writes that wait at the same time share one transaction, and so one flush to the disk. Sixty-four writers at
/// once get two to eight times as much done as with a transaction each; the slower the disk, the more.
const BATCH: usize = 64;

/// Tells the caller how it went, given whether the transaction was committed.
type Settle = Box<dyn FnOnce(Result<()>) + Send>;
/// Does its work on the connection, or learns that there is no transaction to work in.
type Job = Box<dyn FnOnce(Result<&Connection>) -> Ran + Send>;
type Errand = Box<dyn FnOnce(&mut Connection) + Send>;

struct Ran {
    outcome: Result<()>,
    settle: Settle,
}

struct Write {
    durability: Durability,
    job: Job,
}

enum Task {
    Write(Write),
    /// Outside of any transaction.
    Alone(Errand),
}

/// The one connection that writes, on its own thread.
pub(crate) struct Writer {
    tasks: Sender<Task>,
    thread: JoinHandle<()>,
}

impl Writer {
    pub(crate) fn start(connection: Connection) -> Result<Self> {
        let (tasks, queue) = channel();
        let thread = thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || work(connection, &queue))
            .map_err(|error| StoreError::Internal(error.to_string()))?;
        Ok(Self { tasks, thread })
    }

    /// Runs `work` in a transaction. It is rolled back when `work` fails, and the answer comes after the commit.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let answer = self.submit(durability, work)?;
        answer.await.unwrap_or_else(|_| Err(abandoned()))
    }

    /// Like `write`, for a caller who does not wait.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T>>> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let result = connection.and_then(work);
            Ran {
                outcome: result.as_ref().map(|_| ()).map_err(StoreError::clone),
                settle: Box::new(move |committed| {
                    // A caller who has gone away does not undo the write.
                    let _ = reply.send(result.and_then(|value| committed.map(|()| value)));
                }),
            }
        });
        self.tasks.send(Task::Write(Write { durability, job })).map_err(|_| StoreError::Closed)?;
        Ok(answer)
    }

    /// Runs `work` between transactions, for commands that cannot be part of one.
    pub(crate) async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        let errand: Errand = Box::new(move |connection| {
            let _ = reply.send(work(connection));
        });
        self.tasks.send(Task::Alone(errand)).map_err(|_| StoreError::Closed)?;
        answer.await.unwrap_or_else(|_| Err(abandoned()))
    }

    /// Lets the queue run dry and closes the file.
    pub(crate) fn finish(self) {
        drop(self.tasks);
        let _ = self.thread.join();
    }
}

fn abandoned() -> StoreError {
    StoreError::Internal("the change was given up halfway and nothing of it is kept".into())
}

fn work(mut connection: Connection, queue: &Receiver<Task>) {
    let mut flushing = None;
    let mut held = None;
    while let Some(task) = held.take().or_else(|| queue.recv().ok()) {
        match task {
            Task::Alone(errand) => {
                let survived = catch_unwind(AssertUnwindSafe(|| errand(&mut connection))).is_ok();
                if !survived {
                    roll_back(&connection);
                }
            }
            Task::Write(first) => {
                let mut batch = vec![first];
                while batch.len() < BATCH {
                    match queue.try_recv() {
                        Ok(Task::Write(write)) => batch.push(write),
                        Ok(alone) => {
                            held = Some(alone);
                            break;
                        }
                        Err(_) => break,
                    }
                }
                commit_together(&connection, batch, &mut flushing);
            }
        }
    }
}

fn commit_together(connection: &Connection, batch: Vec<Write>, flushing: &mut Option<Durability>) {
    let durability = batch.iter().map(|write| write.durability).max().unwrap_or(Durability::Person);
    let mut lost = begin(connection, durability, flushing).err();
    let shared = batch.len() > 1;
    let mut settles = Vec::with_capacity(batch.len());
    for write in batch {
        let ran = match &lost {
            Some(error) => Some((write.job)(Err(error.clone()))),
            None => run(connection, write.job, shared),
        };
        if lost.is_none() && connection.is_autocommit() {
            // A full disk may make SQLite roll back everything, not only the statement that failed.
            let cause = ran.as_ref().and_then(|ran| ran.outcome.clone().err());
            lost = Some(cause.unwrap_or_else(abandoned));
        }
        settles.extend(ran.map(|ran| ran.settle));
    }
    let committed = match lost {
        Some(error) => Err(error),
        None => connection.execute_batch("COMMIT").map_err(StoreError::from),
    };
    if committed.is_err() {
        roll_back(connection);
    }
    for settle in settles {
        settle(committed.clone());
    }
}

fn begin(connection: &Connection, durability: Durability, flushing: &mut Option<Durability>) -> Result<()> {
    if *flushing != Some(durability) {
        let level = match durability {
            Durability::Person => "FULL",
            Durability::Log => "NORMAL",
        };
        connection.pragma_update(None, "synchronous", level)?;
        *flushing = Some(durability);
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    Ok(())
}

/// One job of a batch. What fails alone is undone alone. `None` when it panicked: its caller hears of it because
/// the reply is dropped.
fn run(connection: &Connection, job: Job, shared: bool) -> Option<Ran> {
    let saved = if shared { connection.execute_batch("SAVEPOINT job") } else { Ok(()) };
    let ran = match saved {
        Ok(()) => catch_unwind(AssertUnwindSafe(|| job(Ok(connection)))).ok(),
        Err(error) => return Some(job(Err(error.into()))),
    };
    let failed = ran.as_ref().is_none_or(|ran| ran.outcome.is_err());
    let undone = match (failed, shared) {
        (true, true) => connection.execute_batch("ROLLBACK TO job; RELEASE job"),
        (true, false) => connection.execute_batch("ROLLBACK; BEGIN IMMEDIATE"),
        (false, true) => connection.execute_batch("RELEASE job"),
        (false, false) => Ok(()),
    };
    if undone.is_err() {
        roll_back(connection);
    }
    ran
}

fn roll_back(connection: &Connection) {
    if !connection.is_autocommit()
        && let Err(error) = connection.execute_batch("ROLLBACK")
    {
        tracing::error!(%error, "a transaction could not be rolled back");
    }
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
