//! Maps the indentation of a quote to that of the text.

/// The change from the indents of the quote to those of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift<'a> {
    None,
    /// The prefix that each line of the text has in addition.
    Further(&'a str),
    /// The prefix that each line of the quote has in addition.
    Less(&'a str),
    /// Different indent units.
    Units {
        from: IndentUnit,
        to: IndentUnit,
        further: isize,
    },
    /// A single line whose indent is replaced by another one. There are no more lines to infer a rule from.
    Instead {
        from: &'a str,
        to: &'a str,
    },
}

/// The indentation unit of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndentUnit {
    Tab,
    Blanks(usize),
}

impl IndentUnit {
    /// Returns the level of an indent that consists of whole units only.
    fn level(self, indent: &str) -> Option<usize> {
        let (level, rest) = self.split(indent);
        rest.is_empty().then_some(level)
    }

    /// Returns the level of an indent and the remaining whitespace.
    fn split(self, indent: &str) -> (usize, &str) {
        let (sign, width) = match self {
            Self::Tab => ('\t', 1),
            Self::Blanks(width) => (' ', width),
        };
        let level = (indent.len() - indent.trim_start_matches(sign).len()) / width;
        (level, &indent[level * width..])
    }

    fn indent(self, level: usize) -> String {
        match self {
            Self::Tab => "\t".repeat(level),
            Self::Blanks(width) => " ".repeat(width * level),
        }
    }
}

const UNITS: [IndentUnit; 5] = [
    IndentUnit::Tab,
    IndentUnit::Blanks(4),
    IndentUnit::Blanks(2),
    IndentUnit::Blanks(8),
    IndentUnit::Blanks(3),
];

fn is_tabs(from: IndentUnit, to: IndentUnit) -> bool {
    from == IndentUnit::Tab || to == IndentUnit::Tab
}

/// Returns true for a plausible pair of units. Eight spaces are as wide as a tab and count as a unit only opposite
/// tabs.
fn go_together(from: IndentUnit, to: IndentUnit) -> bool {
    from != to && (is_tabs(from, to) || from != IndentUnit::Blanks(8) && to != IndentUnit::Blanks(8))
}

/// Returns true if two lines of the quote are one level apart. Without that, any unit would fit.
fn has_step(step: IndentUnit, pairs: &[(&str, &str)]) -> bool {
    let mut levels: Vec<usize> = pairs.iter().filter_map(|(quoted, _)| step.level(quoted)).collect();
    levels.sort_unstable();
    levels.windows(2).any(|pair| pair[1] == pair[0] + 1)
}

impl<'a> Shift<'a> {
    /// Returns the shift that maps the first indent of each pair to the second.
    pub fn between(pairs: &[(&'a str, &'a str)]) -> Option<Self> {
        Self::plain(pairs).or_else(|| Self::steps(pairs)).or(match pairs {
            [(from, to)] => Some(Self::Instead { from, to }),
            _ => None,
        })
    }

    /// Like [`Self::between`], without a change of the indentation unit.
    fn plain(pairs: &[(&'a str, &'a str)]) -> Option<Self> {
        let Some((quoted, there)) = pairs.first() else { return Some(Self::None) };
        if let Some(more) = there.strip_suffix(quoted) {
            let fits = |(quoted, there): &(&str, &str)| there.strip_suffix(quoted) == Some(more);
            if pairs.iter().all(fits) {
                return Some(if more.is_empty() { Self::None } else { Self::Further(more) });
            }
        }
        let more = quoted.strip_suffix(there)?;
        let fits = |(quoted, there): &(&str, &str)| quoted.strip_suffix(there) == Some(more);
        pairs.iter().all(fits).then_some(Self::Less(more))
    }

    /// Returns true if only the first line of a quote lost its indent and all others match the text. A single line
    /// without an indent counts too: it begins at its first word.
    pub fn is_first_cut(pairs: &[(&'a str, &'a str)]) -> bool {
        match pairs {
            [("", there), others @ ..] if !there.is_empty() => {
                others.is_empty() || Self::plain(pairs).is_none() && Self::plain(others) == Some(Self::None)
            }
            _ => false,
        }
    }

    /// Returns a change of units with the same depth, or else with a constant difference in depth.
    fn steps(pairs: &[(&'a str, &'a str)]) -> Option<Self> {
        let choices = UNITS.into_iter().flat_map(|from| UNITS.into_iter().map(move |to| (from, to)));
        let mut found = choices.filter(|&(from, to)| go_together(from, to)).filter_map(|(from, to)| {
            let mut levels = pairs.iter().map(|(quoted, there)| {
                let (quoted, there) = (from.level(quoted)?, to.level(there)?);
                there.checked_signed_diff(quoted)
            });
            let further = levels.next()??;
            let fits =
                levels.all(|other| other == Some(further)) && (is_tabs(from, to) || has_step(from, pairs));
            fits.then_some((from, to, further))
        });
        let first = found.next()?;
        let (from, to, further) =
            std::iter::once(first).chain(found).find(|&(.., further)| further == 0).unwrap_or(first);
        Some(Self::Units { from, to, further })
    }

    /// Converts an indent of the quote to that of the text.
    pub fn apply(&self, indent: &str) -> String {
        match self {
            Self::None => indent.to_owned(),
            Self::Further(more) => format!("{more}{indent}"),
            Self::Less(more) => indent.strip_prefix(more).unwrap_or_default().to_owned(),
            Self::Units { from, to, further } => {
                let (level, rest) = from.split(indent);
                to.indent(level.saturating_add_signed(*further)) + rest
            }
            Self::Instead { from, to } => format!("{to}{}", indent.strip_prefix(from).unwrap_or_default()),
        }
    }
}

/// The shifts from the indents of a quote to those of the text, line by line.
#[derive(Debug)]
pub enum Shifts<'a> {
    Alike(Shift<'a>),
    Each(Vec<Shift<'a>>),
}

impl<'a> Shifts<'a> {
    /// Returns one shift for all lines if there is one. Otherwise each line has its own shift, or that of the nearest
    /// line before it.
    pub fn nearest(pairs: &[Option<(&'a str, &'a str)>]) -> Self {
        let known: Vec<(&str, &str)> = pairs.iter().flatten().copied().collect();
        if let Some(shift) = Shift::between(&known) {
            return Self::Alike(shift);
        }
        let own: Vec<Option<Shift<'_>>> =
            pairs.iter().map(|pair| pair.and_then(|pair| Shift::between(&[pair]))).collect();
        let mut last = own.iter().flatten().next().copied().unwrap_or(Shift::None);
        let each = own.into_iter().map(|own| {
            last = own.unwrap_or(last);
            last
        });
        Self::Each(each.collect())
    }

    pub fn at(&self, line: usize) -> Shift<'a> {
        match self {
            Self::Alike(shift) => *shift,
            Self::Each(shifts) => shifts[line],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indents_lead_to_indents() {
        for (pairs, indent, expected) in [
            (&[("", "")][..], "  ", Some("  ")),
            (&[("", "    "), ("  ", "      ")], "    ", Some("        ")),
            (&[("    ", ""), ("      ", "  ")], "        ", Some("    ")),
            (&[("    ", ""), ("      ", "  ")], "  ", Some("")),
            (&[("    ", "\t"), ("        ", "\t\t")], "            ", Some("\t\t\t")),
            (&[("\t", "    ")], "\t\t", Some("        ")),
            (&[("  ", "    "), ("    ", "        ")], "      ", Some("            ")),
            (&[("", "\t"), ("    ", "\t\t")], "        ", Some("\t\t\t")),
            (&[("    ", "\t"), ("        ", "\t\t")], "      ", Some("\t  ")),
            (&[("        ", "\t")], "                ", Some("\t\t")),
            (&[("", "    "), ("  ", "        ")], "    ", Some("            ")),
            (&[("", "    "), ("        ", "        ")], "", None),
            (&[("  \t", "    ")], "  \t  ", Some("      ")),
            (&[("  \t", "    "), ("  \t", "    ")], "", None),
            (&[("", "  "), ("  ", "  ")], "", None),
            (&[("  ", ""), ("", "  ")], "", None),
        ] {
            assert_eq!(
                Shift::between(pairs).map(|shift| shift.apply(indent)).as_deref(),
                expected,
                "{pairs:?}"
            );
        }
    }
}
