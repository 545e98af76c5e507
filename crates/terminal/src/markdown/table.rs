//! Tables in a text.

use super::inline::spans;
use crate::painter::{Painter, TextStyle};
use crate::screen::Screen;
use crate::table::{Align, Table, TableCell};

/// Returns true for the delimiter line below the header: `|---|:-:|`.
pub fn is_ruler(line: &str) -> bool {
    let cells = cells(line);
    let is_rule = |cell: &str| {
        let dashes = cell.trim_start_matches(':').trim_end_matches(':');
        !dashes.is_empty() && dashes.chars().all(|letter| letter == '-')
    };
    !cells.is_empty() && cells.iter().all(|cell| is_rule(cell))
}

/// Renders the header, the delimiter line and the rows.
pub fn render(lines: &[String], painter: Painter, width: usize) -> String {
    let [names, ruler, rows @ ..] = lines else { return String::new() };
    let cell = |text: &String| TableCell(spans(text, TextStyle::PLAIN, painter.is_on()));
    let aligns = cells(ruler).into_iter().map(|rule| match (rule.starts_with(':'), rule.ends_with(':')) {
        (false, true) => Align::Right,
        _ => Align::Left,
    });
    let aligns = aligns.chain(std::iter::repeat(Align::Left));
    let mut table = Table::new(cells(names).iter().map(cell).zip(aligns));
    for row in rows {
        table.row(cells(row).iter().map(cell));
    }
    table.render(Screen { painter, width: Some(width) })
}

/// Splits a row into cells; a pipe that is escaped or in code does not separate.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut code = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut keep = letter;
        match letter {
            '\\' if letters.peek() == Some(&'|') => {
                letters.next();
                keep = '|';
            }
            '`' => code = !code,
            '|' if !code => {
                cells.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(cell) = cells.last_mut() {
            cell.push(keep);
        }
    }
    // The pipe at the end of a row starts no further cell.
    if cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruler_is_told_from_a_row() {
        for (line, expected) in [
            ("|---|---|", true),
            ("| :--- | ---: | :-: |", true),
            ("|-", true),
            ("| a | b |", false),
            ("| --- | b |", false),
            ("|", false),
            ("||", false),
        ] {
            assert_eq!(is_ruler(line), expected, "{line}");
        }
    }

    #[test]
    fn bars_divide_unless_they_are_text() {
        assert_eq!(cells("| a | `b|c` | d\\|e |"), ["a", "`b|c`", "d|e"]);
        assert_eq!(cells("| a | | c"), ["a", "", "c"]);
    }
}
