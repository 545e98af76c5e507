use crate::clean::clean_line;
use crate::painter::{Painter, TextStyle};
use crate::screen::Screen;
use crate::wrap::{StyledText, WordWrapper, WrappedLine, wrap};

/// The gap between columns.
const GAP: usize = 2;
/// The minimum width of a column; below it, the table becomes a list.
const NARROWEST: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    #[default]
    Left,
    Right,
}

/// The content of a table cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableCell(pub Vec<StyledText>);

impl TableCell {
    pub fn styled(style: TextStyle, text: &str) -> Self {
        Self(vec![StyledText::new(style, clean_line(text))])
    }
}

impl From<String> for TableCell {
    fn from(text: String) -> Self {
        Self::styled(TextStyle::PLAIN, &text)
    }
}

impl From<&str> for TableCell {
    fn from(text: &str) -> Self {
        Self::styled(TextStyle::PLAIN, text)
    }
}

/// A table. If it is too wide, cells wrap; if columns would become too narrow, each row is shown as a list.
#[derive(Debug, Clone, Default)]
pub struct Table {
    columns: Vec<(TableCell, Align)>,
    rows: Vec<Vec<TableCell>>,
}

impl Table {
    pub fn new(columns: impl IntoIterator<Item = (TableCell, Align)>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Creates a table with left-aligned columns, except those whose name ends with `>`.
    pub fn with_columns(names: &[&str]) -> Self {
        Self::new(names.iter().map(|name| match name.strip_suffix('>') {
            Some(name) => (TableCell::from(name), Align::Right),
            None => (TableCell::from(*name), Align::Left),
        }))
    }

    /// Adds a row. Missing cells are empty, and surplus cells are dropped.
    pub fn row(&mut self, cells: impl IntoIterator<Item = TableCell>) {
        self.rows.push(cells.into_iter().take(self.columns.len()).collect());
    }

    pub fn render(&self, screen: Screen) -> String {
        let widths = self.natural_widths(screen.painter);
        let Some(room) = screen.width else { return self.side_by_side(screen.painter, &widths) };
        match fitted(&widths, room) {
            Some(widths) => self.side_by_side(screen.painter, &widths),
            None => self.as_lists(screen.painter, room),
        }
    }

    fn natural_widths(&self, painter: Painter) -> Vec<usize> {
        let width = |cell: &TableCell| {
            wrap(painter, usize::MAX, &cell.0).iter().map(|line| line.width).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = self.columns.iter().map(|(name, _)| width(name)).collect();
        for row in &self.rows {
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = (*widest).max(width(cell));
            }
        }
        widths
    }

    fn side_by_side(&self, painter: Painter, widths: &[usize]) -> String {
        let mut out = String::new();
        let names: Vec<TableCell> = self.columns.iter().map(|(name, _)| emphasised(name)).collect();
        self.line(&mut out, painter, &names, widths);
        for row in &self.rows {
            self.line(&mut out, painter, row, widths);
        }
        out
    }

    fn line(&self, out: &mut String, painter: Painter, cells: &[TableCell], widths: &[usize]) {
        let cells: Vec<Vec<WrappedLine>> =
            cells.iter().zip(widths).map(|(cell, width)| wrap(painter, *width, &cell.0)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for level in 0..height {
            let mut line = String::new();
            let mut owed = 0;
            for ((cell, width), (_, align)) in cells.iter().zip(widths).zip(&self.columns) {
                let empty = WrappedLine::default();
                let piece = cell.get(level).unwrap_or(&empty);
                let padding = width.saturating_sub(piece.width);
                let (before, after) = if *align == Align::Right { (padding, 0) } else { (0, padding) };
                // Trailing spaces would get in the way when the text is copied.
                if piece.width > 0 {
                    line.push_str(&" ".repeat(owed + before));
                    line.push_str(&piece.text);
                    owed = after + GAP;
                } else {
                    owed += width + GAP;
                }
            }
            out.push_str(&line);
            out.push('\n');
        }
    }

    fn as_lists(&self, painter: Painter, room: usize) -> String {
        let mut out = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            if place > 0 {
                out.push('\n');
            }
            for ((name, _), cell) in self.columns.iter().zip(row) {
                if is_empty(cell) {
                    continue;
                }
                let mut wrapper = WordWrapper::new(painter, room);
                wrapper.begin(&[], &[StyledText::new(TextStyle::PLAIN, "  ")]);
                if !is_empty(name) {
                    for span in &emphasised(name).0 {
                        wrapper.text(span.style, &span.text);
                    }
                    wrapper.text(TextStyle::PLAIN, ": ");
                }
                for span in &cell.0 {
                    wrapper.text(span.style, &span.text);
                }
                wrapper.end_line();
                out.push_str(&wrapper.take());
            }
        }
        out
    }
}

fn is_empty(cell: &TableCell) -> bool {
    cell.0.iter().all(|span| span.text.trim().is_empty())
}

fn emphasised(cell: &TableCell) -> TableCell {
    TableCell(
        cell.0
            .iter()
            .map(|span| StyledText::new(TextStyle { bold: true, ..span.style }, span.text.clone()))
            .collect(),
    )
}

/// Shrinks the widest columns until all fit; `None` if a column would become too narrow.
fn fitted(natural: &[usize], room: usize) -> Option<Vec<usize>> {
    let room = room.checked_sub(GAP * natural.len().saturating_sub(1))?;
    let total = |widest: usize| natural.iter().map(|width| (*width).min(widest)).sum::<usize>();
    let (mut fits, mut too_wide) = (NARROWEST, natural.iter().copied().max().unwrap_or(0));
    if total(too_wide) <= room {
        return Some(natural.to_vec());
    }
    if total(fits) > room {
        return None;
    }
    while too_wide - fits > 1 {
        let middle = fits.midpoint(too_wide);
        if total(middle) <= room {
            fits = middle;
        } else {
            too_wide = middle;
        }
    }
    // The first of the shrunk columns share what is left.
    let mut left = room - total(fits);
    let width = |natural: &usize| {
        let is_wider = *natural > fits && left > 0;
        left -= usize::from(is_wider);
        (*natural).min(fits) + usize::from(is_wider)
    };
    Some(natural.iter().map(width).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Screen = Screen { painter: Painter::new(false), width: None };

    fn screen(width: usize) -> Screen {
        Screen { width: Some(width), ..PAPER }
    }

    fn models() -> Table {
        let mut table = Table::with_columns(&["name", "size>", "about"]);
        table.row(["tiny".into(), "98 MB".into(), "small enough to try things".into()]);
        table.row(["qwen3-14b".into(), "9.0 GB".into(), "clever".into()]);
        table
    }

    #[test]
    fn columns_are_as_wide_as_they_need() {
        let expected = "name         size  about\n\
                        tiny        98 MB  small enough to try things\n\
                        qwen3-14b  9.0 GB  clever\n";
        assert_eq!(models().render(PAPER), expected);
        assert_eq!(models().render(screen(80)), expected);
    }

    #[test]
    fn a_long_cell_runs_over_where_room_is_short() {
        let expected = "name         size  about\n\
                        tiny        98 MB  small enough\n\
                        \u{20}                  to try things\n\
                        qwen3-14b  9.0 GB  clever\n";
        assert_eq!(models().render(screen(33)), expected);
    }

    #[test]
    fn a_very_narrow_screen_gets_lists() {
        let expected = "name: tiny\nsize: 98 MB\nabout: small enough\n  to try things\n\n\
                        name: qwen3-14b\nsize: 9.0 GB\nabout: clever\n";
        assert_eq!(models().render(screen(20)), expected);
        let mut nameless = Table::with_columns(&["a", "b", "c", ""]);
        nameless.row(["longer than".into(), "this very".into(), "narrow screen".into(), "note".into()]);
        assert!(nameless.render(screen(20)).ends_with("\nnote\n"));
    }

    #[test]
    fn a_name_cannot_steer_the_terminal_or_break_its_row() {
        let mut table = Table::with_columns(&["name"]);
        table.row(["a\u{1b}[2Jb\nc".into()]);
        assert_eq!(table.render(PAPER), "name\na[2Jb c\n");
    }

    #[test]
    fn rows_of_any_length_are_taken() {
        let mut table = Table::with_columns(&["a", "b"]);
        table.row(["1".into()]);
        table.row(["1".into(), "2".into(), "3".into()]);
        assert_eq!(table.render(PAPER), "a  b\n1\n1  2\n");
        assert_eq!(Table::with_columns(&["a"]).render(PAPER), "a\n");
    }
}
