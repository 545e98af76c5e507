use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use hyper::body::{Frame, Incoming, SizeHint};

use super::ConnectionSlot;
use super::table::ConnectionTable;

/// A request body that reports when it is being waited for.
pub struct TrackedRequestBody {
    body: Incoming,
    slot: ConnectionSlot,
    waits: bool,
}

impl TrackedRequestBody {
    pub fn new(body: Incoming, slot: ConnectionSlot) -> Self {
        Self { body, slot, waits: false }
    }
}

impl hyper::body::Body for TrackedRequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        match &frame {
            Poll::Pending if !self.waits => {
                self.waits = true;
                self.slot.note(ConnectionTable::waits_for_body);
            }
            Poll::Ready(frame) if self.waits => {
                self.waits = false;
                let data = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref());
                let bytes = data.map_or(0, Bytes::len);
                self.slot.note(|table, id, now| table.body_came(id, bytes, now));
            }
            _ => {}
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for TrackedRequestBody {
    fn drop(&mut self) {
        if self.waits {
            self.slot.note(|table, id, _| table.body_ended(id));
        }
    }
}

/// A response body. Its end marks the end of the request.
pub struct TrackedResponseBody {
    body: Body,
    slot: ConnectionSlot,
}

impl TrackedResponseBody {
    pub fn new(body: Body, slot: ConnectionSlot) -> Self {
        Self { body, slot }
    }
}

impl hyper::body::Body for TrackedResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for TrackedResponseBody {
    fn drop(&mut self) {
        self.slot.note(ConnectionTable::answered);
    }
}
