/// The reason why a request is not forwarded. Each message addresses the program's author.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProxyRefusal {
    #[error("this is not a request that the proxy understands")]
    Malformed,
    #[error("the request names two hosts")]
    TwoHosts,
    #[error("only http is passed on so; ask for a tunnel with CONNECT")]
    Scheme,
    #[error("the request did not come in time")]
    Slow,
    #[error("a body is passed on with a Content-Length only")]
    NoLength,
    #[error("the head of the request is too long")]
    TooLong,
    #[error("{0} is not among the hosts that this program may reach")]
    NotAllowed(String),
    #[error("{0} is not on the public internet, and this program may not reach it")]
    NotPublic(String),
    #[error("there is no host {0}")]
    Unknown(String),
    #[error("{0} cannot be connected to")]
    Silent(String),
    #[error("{0} did not answer in time")]
    TooSlow(String),
}

impl ProxyRefusal {
    fn status(&self) -> u16 {
        match self {
            Self::Malformed | Self::TwoHosts | Self::Scheme => 400,
            Self::NotAllowed(_) | Self::NotPublic(_) => 403,
            Self::Slow => 408,
            Self::NoLength => 411,
            Self::TooLong => 431,
            Self::Unknown(_) | Self::Silent(_) => 502,
            Self::TooSlow(_) => 504,
        }
    }

    /// Returns the response. The status line contains the message too, because many programs show nothing else of a
    /// refused tunnel.
    pub fn response(&self) -> String {
        let (status, length) = (self.status(), self.to_string().len() + 2);
        format!(
            "HTTP/1.1 {status} {self}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{self}.\n"
        )
    }
}
