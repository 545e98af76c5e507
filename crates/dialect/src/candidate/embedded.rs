use crate::ending::Ending;
use crate::json::{self, Extent};

/// JSON within an element. It ends with its last bracket, or where that is missing, with the closing tag.
#[derive(Debug)]
pub struct Embedded {
    extent: Extent,
    ending: Ending,
    start: usize,
    /// The closing tag was read in a string, which may lack its closing quote.
    ended_in_string: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach<'a> {
    Inside,
    /// The value is whole.
    Value(&'a str),
    /// The closing tag came before the value was whole.
    Ended(&'a str),
    TooDeep,
}

impl Embedded {
    /// The bracket that opens it is the last character of a text of this length.
    pub fn new(bracket: char, closing: &'static str, length: usize) -> Self {
        let (extent, ending) = (Extent::opened_by(bracket), Ending::new(closing));
        Self { extent, ending, start: length - bracket.len_utf8(), ended_in_string: false }
    }

    /// `text` is everything so far, with `next` at its end.
    pub fn feed<'a>(&mut self, text: &'a str, next: char) -> Reach<'a> {
        let in_string = self.extent.is_in_string();
        let ended = self.ending.feed(next);
        match self.extent.feed(next) {
            json::Reach::Closed => Reach::Value(&text[self.start..]),
            json::Reach::TooDeep => Reach::TooDeep,
            json::Reach::Inside | json::Reach::Beyond => {
                if ended && !in_string {
                    return Reach::Ended(&text[self.start..text.len() - self.ending.text().len()]);
                }
                self.ended_in_string |= ended;
                Reach::Inside
            }
        }
    }

    /// Why the value never ended, where the closing tag was there.
    pub fn flaw(&self) -> Option<String> {
        let why = "the call is not valid JSON: a string in it has no closing quote";
        self.ended_in_string.then(|| why.to_owned())
    }
}
