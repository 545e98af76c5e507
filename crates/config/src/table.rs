//! The field tables derived from the single declaration of each setting. [`settings!`] turns it into the typed structs
//! and into [`Field`]s, from which the report, the example file, the environment variables and the checks are derived.

use protocol::FieldKind;
use serde_json::Value;

use crate::Config;

/// A single setting.
#[derive(Debug)]
pub(crate) struct Field {
    /// The dotted key, as in `llm.base_url`.
    pub(crate) key: &'static str,
    about: &'static str,
    pub(crate) kind: FieldKind,
    pub(crate) choices: &'static [&'static str],
    /// False while the part that reads the setting is not built.
    pub(crate) effective: bool,
    /// Parses and checks a value, then stores it in the settings.
    pub(crate) put: fn(&mut Config, &Value) -> Result<(), String>,
    pub(crate) reset: fn(&mut Config),
    /// Returns the value for reports, without secrets.
    pub(crate) shown: fn(&Config) -> Value,
}

/// A group of settings that form a table of the file.
pub(crate) struct SettingsSection {
    /// Empty for keys outside of all tables.
    pub(crate) name: &'static str,
    about: &'static str,
    pub(crate) fields: &'static [Field],
}

impl Field {
    pub(crate) const fn new<T: crate::kind::Setting>(
        key: &'static str,
        about: &'static str,
        effective: bool,
        put: fn(&mut Config, &Value) -> Result<(), String>,
        reset: fn(&mut Config),
        shown: fn(&Config) -> Value,
    ) -> Self {
        Self { key, about, kind: T::KIND, choices: T::CHOICES, effective, put, reset, shown }
    }

    pub(crate) fn about(&self) -> &'static str {
        self.about.trim()
    }

    /// Returns the environment variable for this setting, such as `PERIGEE_LLM__BASE_URL`.
    pub(crate) fn variable(&self) -> String {
        format!("PERIGEE_{}", self.key.replace('.', "__").to_uppercase())
    }

    pub(crate) fn path(&self) -> impl DoubleEndedIterator<Item = &'static str> {
        self.key.split('.')
    }
}

impl SettingsSection {
    pub(crate) const fn new(name: &'static str, about: &'static str, fields: &'static [Field]) -> Self {
        Self { name, about, fields }
    }

    pub(crate) fn about(&self) -> &'static str {
        self.about.trim()
    }
}

/// Declares sections as structs.
///
/// `[path] Name { Parts } { fields }`: the section's place in the file, its struct, its nested sections, and its
/// fields. A field is `name [as "key in the file"]: Type = default [=> check] [, later];` where `later` marks one that
/// nothing reads yet. The doc comment of a field is shown to users.
macro_rules! settings {
    ($(
        $(#[doc = $section_doc:literal])+
        $path:tt $section:ident { $($part:ident: $part_type:ty),* $(,)? } {
            $(
                $(#[doc = $doc:literal])+
                $field:ident $(as $rename:literal)?: $type:ty = $default:expr $(=> $check:expr)? $(, $later:ident)?;
            )*
        }
    )+) => {
        $(
            $(#[doc = $section_doc])+
            #[derive(Debug, Clone, PartialEq)]
            pub struct $section {
                $($(#[doc = $doc])+ pub $field: $type,)*
                $(pub $part: $part_type,)*
            }

            impl Default for $section {
                fn default() -> Self {
                    Self { $($field: $default,)* $($part: <$part_type>::default(),)* }
                }
            }
        )+

        pub(crate) static SECTIONS: &[$crate::table::SettingsSection] = &[$(
            $crate::table::SettingsSection::new($crate::table::section_name!($path), concat!($($section_doc),+), &[$(
                $crate::table::Field::new::<$type>(
                    $crate::table::key!($path $field $($rename)?),
                    concat!($($doc),+),
                    $crate::table::effective!($($later)?),
                    |config, value| {
                        let value = <$type as $crate::kind::Setting>::read(value)?;
                        $($check(&value)?;)?
                        $crate::table::place!(config $path).$field = value;
                        Ok(())
                    },
                    |config| $crate::table::place!(config $path).$field = $default,
                    |config| $crate::kind::Setting::shown(&$crate::table::place!(config $path).$field),
                ),
            )*]),
        )+];
    };
}

macro_rules! section_name {
    ([]) => { "" };
    ([$first:ident $(. $rest:ident)*]) => { concat!(stringify!($first), $(".", stringify!($rest)),*) };
}

macro_rules! key {
    ([$($part:ident).*] $field:ident) => { concat!($(stringify!($part), ".",)* stringify!($field)) };
    ([$($part:ident).*] $field:ident $rename:literal) => { concat!($(stringify!($part), ".",)* $rename) };
}

macro_rules! place {
    ($config:ident [$($part:ident).*]) => { $config $(.$part)* };
}

macro_rules! effective {
    () => {
        true
    };
    (later) => {
        false
    };
}

pub(crate) use {effective, key, place, section_name, settings};

pub(crate) fn fields() -> impl Iterator<Item = &'static Field> {
    crate::settings::SECTIONS.iter().flat_map(|section| section.fields)
}

pub(crate) fn field(key: &str) -> Option<&'static Field> {
    fields().find(|field| field.key == key)
}
