//! A QR code for the terminal: two of its rows per line, dark on light in any theme.

use crate::painter::Painter;

/// The margin, in modules, that scanners need.
const MARGIN: usize = 2;
const DARK_ON_LIGHT: &str = "\x1b[30;107m";
const RESET: &str = "\x1b[0m";

/// Returns the width in columns.
pub fn qr_width(rows: &[String]) -> usize {
    rows.len() + 2 * MARGIN
}

/// Draws rows of `#` and `.`. Without colours, a dark terminal is assumed.
pub fn qr(rows: &[String], painter: Painter) -> String {
    let size = qr_width(rows);
    let is_dark = |row: usize, column: usize| {
        let row = row.checked_sub(MARGIN).and_then(|row| rows.get(row));
        let dot = row.zip(column.checked_sub(MARGIN)).and_then(|(row, column)| row.as_bytes().get(column));
        dot == Some(&b'#')
    };
    let lines = (0..size).step_by(2).map(|row| {
        let line: String = (0..size)
            .map(|column| {
                match (is_dark(row, column) == painter.is_on(), is_dark(row + 1, column) == painter.is_on()) {
                    (true, true) => '█',
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (false, false) => ' ',
                }
            })
            .collect();
        if painter.is_on() { format!("{DARK_ON_LIGHT}{line}{RESET}") } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rows_stand_in_a_line_within_a_margin() {
        let rows = ["##.".to_owned(), "#.#".into(), "..#".into()];
        assert_eq!(qr_width(&rows), 7);
        assert_eq!(qr(&rows, Painter::new(false)), "███████\n██ ▄▀██\n████▄██\n███████");
        let painted = qr(&rows, Painter::new(true));
        assert_eq!(painted.lines().nth(1), Some("\x1b[30;107m  █▀▄  \x1b[0m"));
        assert_eq!(painted.lines().count(), 4);
    }
}
