//! Passing of the proxy's listener out of a program's network namespace: the launcher creates it inside and sends it
//! out before it becomes the program. All accepting happens outside; the program inside can only connect.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd as _, AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use tokio::io::Interest;

/// The port on which programs find the proxy. The network namespace is private, so the port is always free.
pub const PORT: u16 = 3128;

/// The outer end of a socket pair, from which the listener will be received.
#[derive(Debug)]
pub struct ListenerReceiver(UnixStream);

/// The end that the launcher inherits.
#[derive(Debug)]
pub struct ListenerSender(OwnedFd);

/// Creates the socket pair over which the listener is passed.
pub fn socket_pair() -> io::Result<(ListenerReceiver, ListenerSender)> {
    let (ours, theirs) = UnixStream::pair()?;
    Ok((ListenerReceiver(ours), ListenerSender(theirs.into())))
}

impl ListenerSender {
    /// Returns the descriptor's number, by which the launcher finds it.
    pub fn descriptor(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    pub fn into_descriptor(self) -> OwnedFd {
        self.0
    }
}

/// Runs in the launcher: creates the listener, sends it out, and closes both descriptors.
#[allow(unsafe_code)]
pub fn hand_over(number: RawFd, port: u16) -> io::Result<()> {
    // SAFETY: the descriptor was inherited for this purpose, and nothing else in this process uses it.
    let socket = unsafe { OwnedFd::from_raw_fd(number) };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let files = [listener.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    message.push(SendAncillaryMessage::ScmRights(&files));
    sendmsg(&socket, &[IoSlice::new(b"!")], &mut message, SendFlags::NOSIGNAL)?;
    Ok(())
}

impl ListenerReceiver {
    /// Receives the listener. Fails if the launcher ended before it had created one.
    pub async fn listener(self) -> io::Result<tokio::net::TcpListener> {
        self.0.set_nonblocking(true)?;
        let socket = tokio::net::UnixStream::from_std(self.0)?;
        let listener: TcpListener = socket.async_io(Interest::READABLE, || receive(&socket)).await?.into();
        listener.set_nonblocking(true)?;
        tokio::net::TcpListener::from_std(listener)
    }
}

fn receive(socket: &tokio::net::UnixStream) -> io::Result<OwnedFd> {
    let mut byte = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    // Close-on-exec, because processes started concurrently must not inherit it.
    recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut message, RecvFlags::CMSG_CLOEXEC)?;
    let mut files = message.drain().filter_map(|part| match part {
        RecvAncillaryMessage::ScmRights(mut files) => files.next(),
        _ => None,
    });
    files.next().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn who_made_the_listener_keeps_nothing_of_it() {
        let (outside, inside) = socket_pair().unwrap();
        let copy = inside.into_descriptor();
        let number = copy.as_raw_fd();
        std::mem::forget(copy);
        hand_over(number, 0).unwrap();
        let listener = outside.listener().await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut caller = tokio::net::TcpStream::connect(address).await.unwrap();
        let (mut answering, _) = listener.accept().await.unwrap();
        answering.write_all(b"hello").await.unwrap();
        drop((answering, listener));
        let mut heard = String::new();
        caller.read_to_string(&mut heard).await.unwrap();
        assert_eq!(heard, "hello");
        assert!(tokio::net::TcpStream::connect(address).await.is_err(), "nobody listens any more");
    }

    #[tokio::test]
    async fn a_launcher_that_ends_is_not_waited_for() {
        let (outside, inside) = socket_pair().unwrap();
        drop(inside);
        assert!(outside.listener().await.is_err());
    }
}
