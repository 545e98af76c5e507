//! A parser for the part of YAML that front matter needs: texts, lists and maps, without references.

use granit_parser::{Event, Parser, ScalarStyle};

/// The deepest nesting accepted.
const DEEPEST: usize = 8;
const MOST_NODES: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum YamlNode {
    Nothing,
    Text(String),
    List(Vec<YamlNode>),
    Map(Vec<(String, YamlNode)>),
}

impl YamlNode {
    /// Returns the value under a name, if this is a map.
    pub fn get(&self, name: &str) -> Option<&YamlNode> {
        let YamlNode::Map(fields) = self else { return None };
        fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }
}

pub fn read(text: &str) -> Result<YamlNode, String> {
    let mut reader = Reader { events: Parser::new_from_str(text), left: MOST_NODES };
    loop {
        match reader.next()? {
            Event::StreamStart | Event::DocumentStart(..) => {}
            Event::StreamEnd | Event::DocumentEnd => return Ok(YamlNode::Nothing),
            event => {
                let node = reader.node(event, 0)?;
                reader.finish()?;
                return Ok(node);
            }
        }
    }
}

struct Reader<'a> {
    events: Parser<'a, granit_parser::StrInput<'a>>,
    /// The number of nodes that may still follow.
    left: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Event<'a>, String> {
        match self.events.next() {
            Some(Ok((event, _))) => Ok(event),
            Some(Err(error)) => {
                let line = error.marker().line();
                Err(format!("line {line} cannot be understood: {}", error.info()))
            }
            None => Ok(Event::StreamEnd),
        }
    }

    /// Checks that nothing follows the document.
    fn finish(&mut self) -> Result<(), String> {
        loop {
            match self.next()? {
                Event::StreamEnd => return Ok(()),
                Event::DocumentEnd => {}
                _ => return Err("there is more than one document".to_owned()),
            }
        }
    }

    fn node(&mut self, event: Event<'a>, depth: usize) -> Result<YamlNode, String> {
        self.left = self.left.checked_sub(1).ok_or("it is too long")?;
        if depth > DEEPEST {
            return Err("it is nested too deeply".to_owned());
        }
        match event {
            Event::Scalar(text, style, ..) => {
                let is_nothing = style == ScalarStyle::Plain && matches!(&*text, "" | "~" | "null");
                Ok(if is_nothing { YamlNode::Nothing } else { YamlNode::Text(text.into_owned()) })
            }
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        Event::SequenceEnd => return Ok(YamlNode::List(items)),
                        event => items.push(self.node(event, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => self.fields(depth),
            // References can make a small text expand enormously, and no skill needs them.
            Event::Alias(..) | Event::UnresolvedAlias(..) => {
                Err("references (*name) are not read".to_owned())
            }
            _ => Err("it ends too early".to_owned()),
        }
    }

    fn fields(&mut self, depth: usize) -> Result<YamlNode, String> {
        let mut fields: Vec<(String, YamlNode)> = Vec::new();
        loop {
            let name = match self.next()? {
                Event::MappingEnd => return Ok(YamlNode::Map(fields)),
                Event::Scalar(name, ..) => name.into_owned(),
                _ => return Err("a name has to be a word".to_owned()),
            };
            if fields.iter().any(|(known, _)| *known == name) {
                return Err(format!("{name} appears twice"));
            }
            let event = self.next()?;
            let value = self.node(event, depth + 1)?;
            fields.push((name, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> YamlNode {
        YamlNode::Text(text.to_owned())
    }

    fn map<const N: usize>(fields: [(&str, YamlNode); N]) -> YamlNode {
        YamlNode::Map(fields.map(|(name, value)| (name.to_owned(), value)).to_vec())
    }

    #[test]
    fn what_front_matter_holds_is_read() {
        let cases = [
            ("", YamlNode::Nothing),
            ("# only a comment", YamlNode::Nothing),
            ("a: b # why\nc: 'it''s'", map([("a", text("b")), ("c", text("it's"))])),
            ("a: \"x: y\\n\"", map([("a", text("x: y\n"))])),
            ("a: >-\n  one\n  two\nb: |\n  x\n  y\n", map([("a", text("one two")), ("b", text("x\ny\n"))])),
            (
                "a: [x, y]\nb:\n  - z",
                map([
                    ("a", YamlNode::List(vec![text("x"), text("y")])),
                    ("b", YamlNode::List(vec![text("z")])),
                ]),
            ),
            (
                "a:\n  b: 1.0\nc:\nd: ~",
                map([("a", map([("b", text("1.0"))])), ("c", YamlNode::Nothing), ("d", YamlNode::Nothing)]),
            ),
            ("a: &x b", map([("a", text("b"))])),
        ];
        for (yaml, expected) in cases {
            assert_eq!(read(yaml), Ok(expected), "{yaml}");
        }
    }

    #[test]
    fn what_is_broken_or_hostile_is_refused_at_once() {
        let doubled = |level: usize| format!("l{level}: &l{level} [*l{0}, *l{0}, *l{0}]\n", level - 1);
        let bomb = format!("l0: &l0 [x, x]\n{}", (1..40).map(doubled).collect::<String>());
        let deep = format!("a: {}{}", "[".repeat(5_000), "]".repeat(5_000));
        let wide = format!("a: [{}]", "x,".repeat(5_000));
        let cases = [
            ("a: b: c", "line 1 "),
            ("a: [x", "line "),
            ("a: 1\na: 2", "a appears twice"),
            ("? [x]\n: y", "a name has to be a word"),
            ("a: *b", "line 1 "),
            ("--- a\n--- b", "more than one document"),
            (bomb.as_str(), "references"),
            (deep.as_str(), ""),
            (wide.as_str(), "too long"),
        ];
        for (yaml, says) in cases {
            let error = read(yaml).expect_err(&yaml[..yaml.len().min(40)]);
            assert!(error.contains(says), "{error}");
        }
    }
}
