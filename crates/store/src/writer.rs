use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::{Result, StoreError};

/// The durability of acknowledged writes after a power failure. If only the program dies, nothing is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Durability {
    /// The most recent writes may be lost.
    Log,
    /// The write is on disk before it is acknowledged. Used for what a user wrote, and for what is confirmed to a user.
    Person,
}

/// The maximum number of writes per transaction. Writes that wait at the same time share a transaction and one flush to
/// disk. Sixty-four concurrent writers achieve two to eight times the throughput of one transaction each; the slower
/// the disk, the more.
const BATCH: usize = 64;

/// Sends the result to the caller, given whether the transaction was committed.
type Reply = Box<dyn FnOnce(Result<()>) + Send>;
/// Runs on the connection, or receives the error if there is no transaction.
type Job = Box<dyn FnOnce(Result<&Connection>) -> JobResult + Send>;
type ExclusiveJob = Box<dyn FnOnce(&mut Connection) + Send>;

struct JobResult {
    outcome: Result<()>,
    reply: Reply,
}

struct Write {
    durability: Durability,
    job: Job,
}

enum Task {
    Write(Write),
    /// Runs outside of any transaction.
    Alone(ExclusiveJob),
}

/// The only writing connection, on its own thread.
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

    /// Runs `work` in a transaction, which is rolled back if `work` fails. Returns after the commit.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let answer = self.submit(durability, work)?;
        answer.await.unwrap_or_else(|_| Err(abandoned()))
    }

    /// Like `write`, for a caller that does not wait.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T>>> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let result = connection.and_then(work);
            JobResult {
                outcome: result.as_ref().map(|_| ()).map_err(StoreError::clone),
                reply: Box::new(move |committed| {
                    // The write is kept even if the caller has been dropped.
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
        let job: ExclusiveJob = Box::new(move |connection| {
            let _ = reply.send(work(connection));
        });
        self.tasks.send(Task::Alone(job)).map_err(|_| StoreError::Closed)?;
        answer.await.unwrap_or_else(|_| Err(abandoned()))
    }

    /// Processes the rest of the queue and closes the file.
    pub(crate) fn finish(self) {
        drop(self.tasks);
        let _ = self.thread.join();
    }
}

fn abandoned() -> StoreError {
    StoreError::Internal("the change was interrupted, and nothing of it is kept".into())
}

fn work(mut connection: Connection, queue: &Receiver<Task>) {
    let mut flushing = None;
    let mut held = None;
    while let Some(task) = held.take().or_else(|| queue.recv().ok()) {
        match task {
            Task::Alone(job) => {
                let survived = catch_unwind(AssertUnwindSafe(|| job(&mut connection))).is_ok();
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
    let mut replies = Vec::with_capacity(batch.len());
    for write in batch {
        let result = match &lost {
            Some(error) => Some((write.job)(Err(error.clone()))),
            None => run(connection, write.job, shared),
        };
        if lost.is_none() && connection.is_autocommit() {
            // A full disk may make SQLite roll back everything, not only the statement that failed.
            let cause = result.as_ref().and_then(|result| result.outcome.clone().err());
            lost = Some(cause.unwrap_or_else(abandoned));
        }
        replies.extend(result.map(|result| result.reply));
    }
    let committed = match lost {
        Some(error) => Err(error),
        None => connection.execute_batch("COMMIT").map_err(StoreError::from),
    };
    if committed.is_err() {
        roll_back(connection);
    }
    for reply in replies {
        reply(committed.clone());
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

/// Runs one job of a batch in a savepoint, so that a failing job is rolled back alone. Returns `None` if it panicked:
/// the caller is notified because the reply is dropped.
fn run(connection: &Connection, job: Job, shared: bool) -> Option<JobResult> {
    let saved = if shared { connection.execute_batch("SAVEPOINT job") } else { Ok(()) };
    let result = match saved {
        Ok(()) => catch_unwind(AssertUnwindSafe(|| job(Ok(connection)))).ok(),
        Err(error) => return Some(job(Err(error.into()))),
    };
    let failed = result.as_ref().is_none_or(|result| result.outcome.is_err());
    let undone = match (failed, shared) {
        (true, true) => connection.execute_batch("ROLLBACK TO job; RELEASE job"),
        (true, false) => connection.execute_batch("ROLLBACK; BEGIN IMMEDIATE"),
        (false, true) => connection.execute_batch("RELEASE job"),
        (false, false) => Ok(()),
    };
    if undone.is_err() {
        roll_back(connection);
    }
    result
}

fn roll_back(connection: &Connection) {
    if !connection.is_autocommit()
        && let Err(error) = connection.execute_batch("ROLLBACK")
    {
        tracing::error!(%error, "could not roll back a transaction");
    }
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
