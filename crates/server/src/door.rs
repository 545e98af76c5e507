use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, MethodRouter, on};
use protocol::Scope;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

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
    pub takes: Option<Described>,
    pub gives: Option<Described>,
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
        let (takes, gives, refusing) = (None, None, Refusing::Plainly);
        Self {
            method,
            path,
            access,
            about,
            takes,
            gives,
            body_limit: BODY_LIMIT,
            takes_file: false,
            refusing,
            router,
        }
    }

    #[must_use]
    pub fn takes<T: ToSchema + PartialSchema>(self) -> Self {
        Self { takes: Some(Described::of::<T>()), ..self }
    }

    #[must_use]
    pub fn gives<T: ToSchema + PartialSchema>(self) -> Self {
        Self { gives: Some(Described::of::<T>()), ..self }
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

    #[must_use]
    pub fn refusing(self, refusing: Refusing) -> Self {
        Self { refusing, ..self }
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
