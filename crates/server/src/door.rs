use axum::Router;
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::routing::{MethodFilter, MethodRouter, on};
use protocol::Scope;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::state::App;

/// Who may use a door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody who reaches this machine. Says nothing private.
    Public,
    /// Any token; the door looks at its scopes by itself.
    Token,
    /// A token of this scope, or a greater one.
    Scope(Scope),
    /// The owner's own token or browser: settings, tokens, and everything that decides for others.
    Owner,
}

/// In which form a door says no to those who may not use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusing {
    /// As `{code, message}`.
    Plainly,
    /// As OpenAI's clients read it.
    ForOpenAi,
    /// By a close code, where a client can see nothing else.
    BySocket,
}

/// The most bytes that a request may have, unless its door says otherwise.
pub const BODY_LIMIT: usize = 1024 * 1024;

/// One entry of the HTTP interface: the route, who may use it, and what the documentation says of it. The
/// router, the access check and `openapi.json` all come from this, so none can forget a route.
pub struct Door {
    pub method: Method,
    pub path: &'static str,
    pub access: Access,
    pub about: &'static str,
    /// What stands behind the question mark.
    pub asks: Vec<Parameter>,
    pub takes: Option<Described>,
    /// How a success can look. A door that says nothing of it is not finished.
    pub gives: Vec<Success>,
    pub body_limit: usize,
    takes_file: bool,
    refusing: Refusing,
    router: MethodRouter<App>,
}

/// A wire type in the documentation.
pub struct Described {
    pub name: String,
    pub schema: RefOr<Schema>,
    pub parts: Vec<(String, RefOr<Schema>)>,
}

/// One way in which a door says yes.
pub struct Success {
    pub status: StatusCode,
    pub content: Content,
}

/// What is in the body of an answer.
pub enum Content {
    Nothing,
    Json(Described),
    /// Server-sent events, each of which has one of these as its data.
    Events(Described),
    /// Messages both ways from here on.
    Socket(Described),
    /// Something else, of these types.
    File(&'static [&'static str]),
}

impl Described {
    fn of<T: ToSchema>() -> Self {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        Self { name: T::name().into_owned(), schema: T::schema(), parts }
    }
}

impl Door {
    pub fn new<H, T>(
        method: Method,
        path: &'static str,
        access: Access,
        about: &'static str,
        handler: H,
    ) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
        let router = on(filter, handler);
        let (asks, takes, gives, refusing) = (Vec::new(), None, Vec::new(), Refusing::Plainly);
        Self {
            method,
            path,
            access,
            about,
            asks,
            takes,
            gives,
            body_limit: BODY_LIMIT,
            takes_file: false,
            refusing,
            router,
        }
    }

    /// Takes these behind the question mark.
    #[must_use]
    pub fn asks<T: IntoParams>(self) -> Self {
        Self { asks: T::into_params(|| Some(ParameterIn::Query)), ..self }
    }

    #[must_use]
    pub fn takes<T: ToSchema + PartialSchema>(self) -> Self {
        Self { takes: Some(Described::of::<T>()), ..self }
    }

    /// Answers with this, as JSON.
    #[must_use]
    pub fn gives<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::OK, Content::Json(Described::of::<T>()))
    }

    /// Answers with what it has made, as JSON.
    #[must_use]
    pub fn creates<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::CREATED, Content::Json(Described::of::<T>()))
    }

    /// Answers that it is done.
    #[must_use]
    pub fn gives_nothing(self) -> Self {
        self.succeeds(StatusCode::NO_CONTENT, Content::Nothing)
    }

    /// Answers that it was taken, and nothing else.
    #[must_use]
    pub fn accepts(self) -> Self {
        self.succeeds(StatusCode::ACCEPTED, Content::Nothing)
    }

    /// Answers with server-sent events, of which each is one of these.
    #[must_use]
    pub fn streams<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::OK, Content::Events(Described::of::<T>()))
    }

    /// Becomes a connection on which such messages come.
    #[must_use]
    pub fn upgrades<T: ToSchema + PartialSchema>(self) -> Self {
        self.succeeds(StatusCode::SWITCHING_PROTOCOLS, Content::Socket(Described::of::<T>()))
    }

    /// Answers with a file of one of these types.
    #[must_use]
    pub fn gives_file(self, kinds: &'static [&'static str]) -> Self {
        self.succeeds(StatusCode::OK, Content::File(kinds))
    }

    fn succeeds(mut self, status: StatusCode, content: Content) -> Self {
        self.gives.push(Success { status, content });
        self
    }

    #[must_use]
    pub fn up_to(self, bytes: usize) -> Self {
        Self { body_limit: bytes, ..self }
    }

    /// Takes any file as its body, whatever its content type says, of so many bytes.
    #[must_use]
    pub fn takes_file(self, bytes: usize) -> Self {
        Self { takes_file: true, body_limit: bytes, ..self }
    }

    pub fn is_for_files(&self) -> bool {
        self.takes_file
    }

    #[must_use]
    pub fn refusing(self, refusing: Refusing) -> Self {
        Self { refusing, ..self }
    }

    pub fn refuses(&self) -> Refusing {
        self.refusing
    }
}

/// Short forms, so that a table of doors reads like one.
pub fn get<H: Handler<T, App>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::GET, path, access, about, handler)
}

pub fn post<H: Handler<T, App>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::POST, path, access, about, handler)
}

pub fn put<H: Handler<T, App>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::PUT, path, access, about, handler)
}

pub fn patch<H: Handler<T, App>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::PATCH, path, access, about, handler)
}

pub fn delete<H: Handler<T, App>, T: 'static>(
    path: &'static str,
    access: Access,
    about: &'static str,
    handler: H,
) -> Door {
    Door::new(Method::DELETE, path, access, about, handler)
}

/// The router of all doors, each behind its own check.
pub fn router(doors: Vec<Door>, app: &App) -> Router<App> {
    doors.into_iter().fold(Router::new(), |router, door| {
        let Door { access, body_limit, takes_file, refusing, .. } = door;
        let check = crate::guard::Check { access, body_limit, takes_file, refusing };
        let layer = axum::middleware::from_fn_with_state((app.clone(), check), crate::guard::check);
        router.route(door.path, door.router.route_layer(layer))
    })
}
