use crate::terminal::{Flow, Line, Paint, Screen, Span, Style, clean_line, wrap};

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
pub struct Cell(pub Vec<Span>);

impl Cell {
    pub fn styled(style: Style, text: &str) -> Self {
        Self(vec![Span::new(style, clean_line(text))])
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::styled(Style::PLAIN, &text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::styled(Style::PLAIN, text)
    }
}

/// A table. If it is too wide, cells wrap; if columns would become too narrow, each row is shown as a list.
#[derive(Debug, Clone, Default)]
pub struct Table {
    columns: Vec<(Cell, Align)>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new(columns: impl IntoIterator<Item = (Cell, Align)>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Creates a table with left-aligned columns, except those whose name ends with `>`.
    pub fn titled(names: &[&str]) -> Self {
        Self::new(names.iter().map(|name| match name.strip_suffix('>') {
            Some(name) => (Cell::from(name), Align::Right),
            None => (Cell::from(*name), Align::Left),
        }))
    }

    /// Adds a row. Missing cells are empty, and surplus cells are dropped.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().take(self.columns.len()).collect();
        cells.resize(self.columns.len(), Cell::default());
        self.rows.push(cells);
    }

    pub fn show(&self, screen: Screen) -> String {
        let widths = self.natural_widths(screen.paint);
        let Some(room) = screen.width else { return self.side_by_side(screen.paint, &widths) };
        match fitted(&widths, room) {
            Some(widths) => self.side_by_side(screen.paint, &widths),
            None => self.as_lists(screen.paint, room),
        }
    }

    fn natural_widths(&self, paint: Paint) -> Vec<usize> {
        let width =
            |cell: &Cell| wrap(paint, usize::MAX, &cell.0).iter().map(|line| line.width).max().unwrap_or(0);
        let column = |(place, (name, _)): (usize, &(Cell, Align))| {
            let cells = self.rows.iter().filter_map(|row| row.get(place)).map(width);
            cells.max().unwrap_or(0).max(width(name))
        };
        self.columns.iter().enumerate().map(column).collect()
    }

    fn side_by_side(&self, paint: Paint, widths: &[usize]) -> String {
        let mut out = String::new();
        let names: Vec<Cell> = self.columns.iter().map(|(name, _)| emphasised(name)).collect();
        self.line(&mut out, paint, &names, widths);
        for row in &self.rows {
            self.line(&mut out, paint, row, widths);
        }
        out
    }

    fn line(&self, out: &mut String, paint: Paint, cells: &[Cell], widths: &[usize]) {
        let cells: Vec<Vec<Line>> =
            cells.iter().zip(widths).map(|(cell, width)| wrap(paint, *width, &cell.0)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for level in 0..height {
            let mut line = String::new();
            let mut owed = 0;
            for ((cell, width), (_, align)) in cells.iter().zip(widths).zip(&self.columns) {
                let empty = Line::default();
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

    fn as_lists(&self, paint: Paint, room: usize) -> String {
        let mut out = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            if place > 0 {
                out.push('\n');
            }
            for ((name, _), cell) in self.columns.iter().zip(row) {
                if is_empty(cell) {
                    continue;
                }
                let mut flow = Flow::new(paint, room);
                flow.begin(&[], &[Span::new(Style::PLAIN, "  ")]);
                if !is_empty(name) {
                    for span in &emphasised(name).0 {
                        flow.text(span.style, &span.text);
                    }
                    flow.text(Style::PLAIN, ": ");
                }
                for span in &cell.0 {
                    flow.text(span.style, &span.text);
                }
                flow.end_line();
                out.push_str(&flow.take());
            }
        }
        out
    }
}

fn is_empty(cell: &Cell) -> bool {
    cell.0.iter().all(|span| span.text.trim().is_empty())
}

fn emphasised(cell: &Cell) -> Cell {
    Cell(cell.0.iter().map(|span| Span::new(Style { bold: true, ..span.style }, span.text.clone())).collect())
}

/// Shrinks the widest columns until all fit; `None` if a column would become too narrow.
fn fitted(natural: &[usize], room: usize) -> Option<Vec<usize>> {
    let mut widths = natural.to_vec();
    let gaps = GAP * widths.len().saturating_sub(1);
    loop {
        let total = widths.iter().sum::<usize>() + gaps;
        if total <= room {
            return Some(widths);
        }
        let widest = widths.iter_mut().max_by_key(|width| **width)?;
        if *widest <= NARROWEST {
            return None;
        }
        *widest -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Screen = Screen { paint: Paint::new(false), width: None };

    fn screen(width: usize) -> Screen {
        Screen { width: Some(width), ..PAPER }
    }

    fn models() -> Table {
        let mut table = Table::titled(&["name", "size>", "about"]);
        table.row(["tiny".into(), "98 MB".into(), "small enough to try things".into()]);
        table.row(["qwen3-14b".into(), "9.0 GB".into(), "clever".into()]);
        table
    }

    #[test]
    fn columns_are_as_wide_as_they_need() {
        let expected = "name         size  about\n\
                        tiny        98 MB  small enough to try things\n\
                        qwen3-14b  9.0 GB  clever\n";
        assert_eq!(models().show(PAPER), expected);
        assert_eq!(models().show(screen(80)), expected);
    }

    #[test]
    fn a_long_cell_runs_over_where_room_is_short() {
        let expected = "name         size  about\n\
                        tiny        98 MB  small enough\n\
                        \u{20}                  to try things\n\
                        qwen3-14b  9.0 GB  clever\n";
        assert_eq!(models().show(screen(33)), expected);
    }

    #[test]
    fn a_very_narrow_screen_gets_lists() {
        let expected = "name: tiny\nsize: 98 MB\nabout: small enough\n  to try things\n\n\
                        name: qwen3-14b\nsize: 9.0 GB\nabout: clever\n";
        assert_eq!(models().show(screen(20)), expected);
        let mut nameless = Table::titled(&["a", "b", "c", ""]);
        nameless.row(["longer than".into(), "this very".into(), "narrow screen".into(), "note".into()]);
        assert!(nameless.show(screen(20)).ends_with("\nnote\n"));
    }

    #[test]
    fn a_name_cannot_steer_the_terminal_or_break_its_row() {
        let mut table = Table::titled(&["name"]);
        table.row(["a\u{1b}[2Jb\nc".into()]);
        assert_eq!(table.show(PAPER), "name\na[2Jb c\n");
    }

    #[test]
    fn rows_of_any_length_are_taken() {
        let mut table = Table::titled(&["a", "b"]);
        table.row(["1".into()]);
        table.row(["1".into(), "2".into(), "3".into()]);
        assert_eq!(table.show(PAPER), "a  b\n1\n1  2\n");
        assert_eq!(Table::titled(&["a"]).show(PAPER), "a\n");
    }
}
