//! The types of settings: how each is read from a file and shown in reports.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use host::Secret;
use protocol::FieldKind;
use serde_json::{Map, Value};

/// A type that a setting can have.
pub(crate) trait Setting: Sized {
    const KIND: FieldKind;
    const CHOICES: &'static [&'static str] = &[];

    /// Reads a value. The error completes the sentence "`key` …": "should be a whole number".
    fn read(value: &Value) -> Result<Self, String>;

    /// Returns the value for reports and the settings page, without secrets.
    fn shown(&self) -> Value;
}

fn mismatch<T>(what: &str, value: &Value) -> Result<T, String> {
    let found = match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "this number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    };
    Err(format!("should be {what}, not {found}"))
}

impl Setting for bool {
    const KIND: FieldKind = FieldKind::Switch;

    fn read(value: &Value) -> Result<Self, String> {
        value.as_bool().map_or_else(|| mismatch("true or false", value), Ok)
    }

    fn shown(&self) -> Value {
        Value::Bool(*self)
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl Setting for $type {
            const KIND: FieldKind = FieldKind::Number;

            fn read(value: &Value) -> Result<Self, String> {
                let number = value.as_u64().and_then(|number| Self::try_from(number).ok());
                number.map_or_else(|| mismatch(&format!("a whole number from 0 to {}", Self::MAX), value), Ok)
            }

            fn shown(&self) -> Value {
                (*self).into()
            }
        }
    )*};
}

whole_numbers!(u16, u32);

impl Setting for f32 {
    const KIND: FieldKind = FieldKind::Number;

    #[allow(clippy::cast_possible_truncation, reason = "settings are short decimals")]
    fn read(value: &Value) -> Result<Self, String> {
        let number = value.as_f64().map(|number| number as Self).filter(|number| number.is_finite());
        number.map_or_else(|| mismatch("a number", value), Ok)
    }

    fn shown(&self) -> Value {
        // Converted through text, so that an `f32` of 0.7 stays 0.7.
        self.to_string().parse::<f64>().map_or(Value::Null, Value::from)
    }
}

impl Setting for String {
    const KIND: FieldKind = FieldKind::Text;

    fn read(value: &Value) -> Result<Self, String> {
        value.as_str().map_or_else(|| mismatch("text", value), |text| Ok(text.to_owned()))
    }

    fn shown(&self) -> Value {
        Value::from(self.as_str())
    }
}

impl Setting for PathBuf {
    const KIND: FieldKind = FieldKind::Text;

    fn read(value: &Value) -> Result<Self, String> {
        match value.as_str() {
            Some(text) if text.contains('\0') => Err("should be a path without a zero byte".into()),
            Some(text) => Ok(text.into()),
            None => mismatch("a path", value),
        }
    }

    fn shown(&self) -> Value {
        Value::from(self.to_string_lossy())
    }
}

impl Setting for Secret {
    const KIND: FieldKind = FieldKind::Secret;

    fn read(value: &Value) -> Result<Self, String> {
        value.as_str().map_or_else(|| mismatch("text", value), |text| Ok(Self::new(text)))
    }

    fn shown(&self) -> Value {
        Value::Bool(!self.is_empty())
    }
}

impl Setting for Vec<String> {
    const KIND: FieldKind = FieldKind::List;

    fn read(value: &Value) -> Result<Self, String> {
        let texts = value
            .as_array()
            .and_then(|items| items.iter().map(|item| item.as_str().map(str::to_owned)).collect());
        match texts {
            Some(texts) => Ok(texts),
            None if value.is_array() => Err("should contain only texts".into()),
            None => mismatch("a list of texts", value),
        }
    }

    fn shown(&self) -> Value {
        Value::from(self.as_slice())
    }
}

/// An optional setting. Empty text and `null` mean that it is not set.
impl<T: Setting> Setting for Option<T> {
    const KIND: FieldKind = T::KIND;
    const CHOICES: &'static [&'static str] = T::CHOICES;

    fn read(value: &Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(None),
            Value::String(text) if text.is_empty() => Ok(None),
            value => T::read(value).map(Some),
        }
    }

    fn shown(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::shown)
    }
}

/// The URL of a server. User name and password in it are not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Url(String);

/// The replacement for user name and password.
const HIDDEN: &str = "•••@";

impl Url {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `None` if the text is not an HTTP URL.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"))?;
        let authority = rest.split(['/', '?', '#']).next()?;
        let host = authority.rsplit('@').next()?;
        let plain = !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
        (!host.is_empty() && !host.starts_with(':') && plain && !text.contains(HIDDEN))
            .then(|| Self(text.to_owned()))
    }

    pub fn without_password(&self) -> String {
        let start = self.0.find("://").map_or(0, |at| at + 3);
        let (scheme, rest) = self.0.split_at(start);
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        match rest[..end].rfind('@') {
            Some(at) => format!("{scheme}{HIDDEN}{}", &rest[at + 1..]),
            None => self.0.clone(),
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.without_password())
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.without_password())
    }
}

/// Creates a URL from a literal, which is known to be valid.
pub(crate) fn known_url(text: &str) -> Url {
    Url(text.to_owned())
}

impl Setting for Url {
    const KIND: FieldKind = FieldKind::Text;

    fn read(value: &Value) -> Result<Self, String> {
        let text = value.as_str().map_or_else(|| mismatch("an address", value), Ok)?;
        Self::parse(text).ok_or_else(|| "should be an address that begins with http:// or https://".into())
    }

    fn shown(&self) -> Value {
        Value::from(self.without_password())
    }
}

/// An external MCP server, in the format that other MCP clients use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    pub reach: McpTransport,
    /// True if the server stays in the file but is not started.
    pub disabled: bool,
}

/// The transport of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpTransport {
    /// A program that communicates over stdin and stdout.
    Program {
        command: String,
        args: Vec<String>,
        /// Secret, because it often holds API keys of other services.
        env: BTreeMap<String, Secret>,
        /// The working directory.
        cwd: Option<PathBuf>,
    },
    /// A URL with streamable HTTP.
    Http { url: Url, headers: BTreeMap<String, Secret>, oauth: McpOauth },
}

/// Settings for signing in to a server, as far as discovery does not provide them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct McpOauth {
    /// The client ID, if the client was registered with the server beforehand.
    pub client_id: Option<String>,
    pub client_secret: Option<Secret>,
    /// The URL of the client's metadata document.
    pub client_metadata_url: Option<Url>,
    /// The scopes to request instead of those that the server advertises.
    pub scopes: Vec<String>,
}

impl McpOauth {
    fn read(value: &Value) -> Option<Self> {
        let table = value.as_object()?;
        let text = |key: &str| match table.get(key) {
            None => Some(None),
            Some(text) => text.as_str().map(Some),
        };
        let metadata = text("clientMetadataUrl")?.map(|url| Url::parse(url).ok_or(())).transpose();
        Some(Self {
            client_id: text("clientId")?.map(ToOwned::to_owned),
            client_secret: text("clientSecret")?.map(Secret::new),
            client_metadata_url: metadata.ok()?,
            scopes: table.get("scopes").map_or(Ok(Vec::new()), Vec::<String>::read).ok()?,
        })
    }

    fn shown(&self) -> Value {
        let mut table = Map::new();
        if let Some(id) = &self.client_id {
            table.insert("clientId".into(), Value::from(id.as_str()));
        }
        if self.client_secret.is_some() {
            table.insert("clientSecret".into(), Value::from(true));
        }
        if let Some(url) = &self.client_metadata_url {
            table.insert("clientMetadataUrl".into(), url.shown());
        }
        if !self.scopes.is_empty() {
            table.insert("scopes".into(), Value::from(self.scopes.clone()));
        }
        Value::Object(table)
    }
}

impl McpServer {
    fn read(name: &str, value: &Value) -> Result<Self, String> {
        let wrong = |what: &str| format!("should have {what} in `{name}`");
        let table = value.as_object().ok_or_else(|| format!("should have a table named `{name}`"))?;
        let disabled = table
            .get("disabled")
            .map_or(Ok(false), bool::read)
            .map_err(|_| wrong("true or false as `disabled`"))?;
        let texts = |key: &str| {
            let texts = table.get(key).map_or(Some(BTreeMap::new()), |texts| {
                texts
                    .as_object()?
                    .iter()
                    .map(|(key, value)| Some((key.clone(), Secret::new(value.as_str()?))))
                    .collect()
            });
            texts.ok_or_else(|| wrong(&format!("only texts under `{key}`")))
        };
        let kind = table.get("type").and_then(Value::as_str);
        let reach = match (table.get("command"), table.get("url")) {
            (None, Some(url)) => {
                if kind == Some("sse") {
                    return Err(format!(
                        "should have a `type` other than sse in `{name}`: that transport is obsolete, and most \
                        servers have an address for `http`, too"
                    ));
                }
                let url = Url::read(url).map_err(|_| wrong("an address as `url`"))?;
                let oauth = table.get("oauth").map_or(Some(McpOauth::default()), McpOauth::read);
                let oauth = oauth.ok_or_else(|| {
                    wrong(
                        "a table as `oauth`, of `clientId`, `clientSecret`, `clientMetadataUrl` and `scopes`",
                    )
                })?;
                McpTransport::Http { url, headers: texts("headers")?, oauth }
            }
            (Some(command), None) => {
                let command = command.as_str().filter(|command| !command.trim().is_empty());
                let args = table.get("args").map_or(Ok(Vec::new()), Vec::<String>::read);
                let cwd = table.get("cwd").filter(|cwd| !cwd.is_null());
                McpTransport::Program {
                    command: command.ok_or_else(|| wrong("a text as `command`"))?.to_owned(),
                    args: args.map_err(|_| wrong("a list of texts as `args`"))?,
                    env: texts("env")?,
                    cwd: cwd.map(PathBuf::read).transpose().map_err(|_| wrong("a folder as `cwd`"))?,
                }
            }
            _ => return Err(wrong("either a `command` or a `url`")),
        };
        Ok(Self { reach, disabled })
    }

    /// Shows the number of arguments rather than the arguments, since keys are passed there too.
    fn shown(&self) -> Value {
        let names = |texts: &BTreeMap<String, Secret>| {
            Value::from(texts.keys().map(String::as_str).collect::<Vec<_>>())
        };
        let mut table = Map::new();
        match &self.reach {
            McpTransport::Program { command, args, env, cwd } => {
                table.insert("command".into(), Value::from(command.as_str()));
                table.insert("args".into(), Value::from(args.len()));
                table.insert("env".into(), names(env));
                if let Some(cwd) = cwd {
                    table.insert("cwd".into(), Value::from(cwd.display().to_string()));
                }
            }
            McpTransport::Http { url, headers, oauth } => {
                table.insert("url".into(), url.shown());
                table.insert("headers".into(), names(headers));
                if *oauth != McpOauth::default() {
                    table.insert("oauth".into(), oauth.shown());
                }
            }
        }
        if self.disabled {
            table.insert("disabled".into(), Value::from(true));
        }
        Value::Object(table)
    }
}

impl Setting for BTreeMap<String, McpServer> {
    const KIND: FieldKind = FieldKind::Table;

    fn read(value: &Value) -> Result<Self, String> {
        match value {
            Value::Object(servers) => servers
                .iter()
                .map(|(name, server)| Ok((name.clone(), McpServer::read(name, server)?)))
                .collect(),
            other => mismatch("a table of servers", other),
        }
    }

    fn shown(&self) -> Value {
        Value::Object(self.iter().map(|(name, server)| (name.clone(), server.shown())).collect())
    }
}

/// Declares enums whose variants are single words in the file.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),+
        }

        impl $name {
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl $crate::kind::Setting for $name {
            const KIND: protocol::FieldKind = protocol::FieldKind::Choice;
            const CHOICES: &'static [&'static str] = &[$($word),+];

            fn read(value: &serde_json::Value) -> Result<Self, String> {
                match value.as_str() {
                    $(Some($word) => Ok(Self::$variant),)+
                    _ => Err(format!("should be one of {}", Self::CHOICES.join(", "))),
                }
            }

            fn shown(&self) -> serde_json::Value {
                self.as_str().into()
            }
        }
    )+};
}

pub(crate) use choices;

/// Returns a check that a number lies in a range.
pub(crate) fn between<T: PartialOrd + fmt::Display>(least: T, most: T) -> impl Fn(&T) -> Result<(), String> {
    move |value| {
        if (&least..=&most).contains(&value) {
            Ok(())
        } else {
            Err(format!("should be from {least} to {most}"))
        }
    }
}
