use serde_json::Value;
use toml_edit::{Array, Document, InlineTable, Item, Table, TableLike};

use super::text::{EditError, Element, LocatedValue, cut, line_start};
use crate::document::{ParseError, Span, position};

fn parse(text: &str) -> Result<Document<&str>, EditError> {
    Document::parse(text).map_err(|error| {
        let at = position(text, error.span().map_or(0, |span| span.start));
        EditError::Broken(ParseError { reason: error.message().to_owned(), at })
    })
}

pub(super) fn find(text: &str, path: &[&str]) -> Result<Option<LocatedValue>, EditError> {
    let document = parse(text)?;
    let Some(Located { value, item, .. }) = locate(document.as_table(), path, false) else { return Ok(None) };
    let elements = item.as_array().map(|list| {
        let element = |value: &toml_edit::Value| {
            Some(Element { span: value.span()?, text: value.as_str().map(str::to_owned) })
        };
        list.iter().filter_map(element).collect()
    });
    Ok(Some(LocatedValue { span: value, elements }))
}

pub(super) fn remove(text: &str, path: &[&str]) -> Result<String, EditError> {
    let document = parse(text)?;
    // A table that is not inline has no single span: its parts may be spread over the file.
    if let Some(located) = locate(document.as_table(), path, false)
        && !located.inline
    {
        // The library gives the span of only the last part of a dotted key, so the cut starts with the line.
        let start = line_start(text, located.key.start);
        let indent = text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len();
        return Ok(cut(text, &(start + indent..located.value.end)));
    }
    let mut document = document.into_mut();
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let Some((last, parents)) = path.split_last() else { return Ok(text.to_owned()) };
    for part in parents {
        match table.get_mut(part).and_then(Item::as_table_like_mut) {
            Some(inner) => table = inner,
            None => return Ok(text.to_owned()),
        }
    }
    table.remove(last);
    Ok(with_line_ends_of(text, &document.to_string()))
}

struct Located<'a> {
    key: Span,
    value: Span,
    item: &'a Item,
    /// True inside an inline table, `{ … }`.
    inline: bool,
}

fn locate<'a>(table: &'a dyn TableLike, path: &[&str], inline: bool) -> Option<Located<'a>> {
    let (first, rest) = path.split_first()?;
    let (key, item) = table.get_key_value(first)?;
    if !rest.is_empty() {
        return locate(item.as_table_like()?, rest, inline || item.is_inline_table());
    }
    let value = item.as_value().filter(|value| !value.is_inline_table())?;
    Some(Located { key: key.span()?, value: value.span()?, item, inline })
}

pub(super) fn insert(text: &str, path: &[&str], setting: &Value) -> Result<String, EditError> {
    let Some((last, parents)) = path.split_last() else { return Ok(text.to_owned()) };
    let mut document = parse(text)?.into_mut();
    let mut inline = false;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for part in parents {
        let fresh = move || {
            if inline {
                return Item::Value(InlineTable::new().into());
            }
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        };
        let item = table.entry(part).or_insert_with(fresh);
        inline = inline || item.is_inline_table();
        table = item.as_table_like_mut().ok_or_else(|| EditError::NotATable((*part).to_owned()))?;
    }
    if table.contains_key(last) {
        return Err(EditError::NotATable((*last).to_owned()));
    }
    table.insert(last, Item::Value(value(setting)));
    Ok(with_line_ends_of(text, &document.to_string()))
}

/// Restores the original line ends, since the library writes its own.
fn with_line_ends_of(original: &str, edited: &str) -> String {
    let edited = edited.replace("\r\n", "\n");
    if original.contains("\r\n") { edited.replace('\n', "\r\n") } else { edited }
}

pub(crate) fn value(setting: &Value) -> toml_edit::Value {
    match setting {
        Value::Bool(switch) => (*switch).into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        Value::Array(items) => items.iter().map(value).collect::<Array>().into(),
        Value::Object(pairs) => {
            pairs.iter().map(|(key, inner)| (key, value(inner))).collect::<InlineTable>().into()
        }
        Value::String(text) => text.into(),
        Value::Null => "".into(),
    }
}
