use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::WaitForCancellationFutureOwned;

use super::ReservedSlot;
use super::table::ConnectionTable;

/// A connection that reports its state to its slot, releases the slot on drop, and fails when it has to close. This
/// also works after an upgrade, when the owner of the stream knows nothing of slots.
pub struct Stream<S> {
    inner: S,
    reserved: ReservedSlot,
    end: Pin<Box<WaitForCancellationFutureOwned>>,
    stalls: bool,
}

impl<S> Stream<S> {
    pub fn new(inner: S, reserved: ReservedSlot) -> Self {
        let end = Box::pin(reserved.0.end.clone().cancelled_owned());
        Self { inner, reserved, end, stalls: false }
    }

    fn is_open(&self) -> io::Result<()> {
        if self.reserved.0.end.is_cancelled() { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }

    fn note_stall<T>(&mut self, written: &Poll<T>) {
        let stalls = written.is_pending();
        if stalls != self.stalls {
            self.stalls = stalls;
            self.reserved.0.note(if stalls { ConnectionTable::stalls } else { ConnectionTable::flows });
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // The server is always reading, so it is woken by this.
        if self.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(self.is_open());
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.reserved.0.note(ConnectionTable::something_came);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.is_open()?;
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.note_stall(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.is_open()?;
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, pieces);
        self.note_stall(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.is_open()?;
        let flushed = Pin::new(&mut self.inner).poll_flush(context);
        self.note_stall(&flushed);
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
