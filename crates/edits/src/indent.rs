//! How far a quoted text is moved in, beside the text that it quotes.

/// What leads from the quote's indents to the text's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift<'a> {
    None,
    /// The text has so much before each line of the quote.
    Further(&'a str),
    /// The quote has so much before each line of the text.
    Less(&'a str),
    /// One counts in other steps than the other.
    Steps {
        from: Step,
        to: Step,
        further: isize,
    },
    /// One line has this instead of that, and there is no other to tell why.
    Instead {
        from: &'a str,
        to: &'a str,
    },
}

/// What one level is moved in by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Tab,
    Blanks(usize),
}

impl Step {
    /// The level of an indent that is made of nothing else.
    fn level(self, indent: &str) -> Option<usize> {
        let (level, rest) = self.split(indent);
        rest.is_empty().then_some(level)
    }

    /// The level of an indent, and what it has beyond that.
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

const STEPS: [Step; 5] = [Step::Tab, Step::Blanks(4), Step::Blanks(2), Step::Blanks(8), Step::Blanks(3)];

fn is_tabs(from: Step, to: Step) -> bool {
    from == Step::Tab || to == Step::Tab
}

/// Eight blanks are as wide as a tab, and nobody counts in them but where the other counts in tabs.
fn go_together(from: Step, to: Step) -> bool {
    from != to && (is_tabs(from, to) || from != Step::Blanks(8) && to != Step::Blanks(8))
}

/// Whether two lines of the quote are one level apart, without which anything could be a step.
fn has_step(step: Step, pairs: &[(&str, &str)]) -> bool {
    let mut levels: Vec<usize> = pairs.iter().filter_map(|(quoted, _)| step.level(quoted)).collect();
    levels.sort_unstable();
    levels.windows(2).any(|pair| pair[1] == pair[0] + 1)
}

impl<'a> Shift<'a> {
    /// The one that leads from each first indent to its second.
    pub fn between(pairs: &[(&'a str, &'a str)]) -> Option<Self> {
        Self::plain(pairs).or_else(|| Self::steps(pairs)).or(match pairs {
            [(from, to)] => Some(Self::Instead { from, to }),
            _ => None,
        })
    }

    /// The same, where no step becomes another.
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

    /// Whether a quote lost the indent of its first line, and has all others as the text has them. A single line without
    /// an indent begins where its first word does.
    pub fn is_first_cut(pairs: &[(&'a str, &'a str)]) -> bool {
        match pairs {
            [("", there), others @ ..] if !there.is_empty() => {
                others.is_empty() || Self::plain(pairs).is_none() && Self::plain(others) == Some(Self::None)
            }
            _ => false,
        }
    }

    /// The same depth in other steps, or else one that differs by the same everywhere.
    fn steps(pairs: &[(&'a str, &'a str)]) -> Option<Self> {
        let choices = STEPS.into_iter().flat_map(|from| STEPS.into_iter().map(move |to| (from, to)));
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
        Some(Self::Steps { from, to, further })
    }

    /// An indent of the quote, as the text would have it.
    pub fn apply(&self, indent: &str) -> String {
        match self {
            Self::None => indent.to_owned(),
            Self::Further(more) => format!("{more}{indent}"),
            Self::Less(more) => indent.strip_prefix(more).unwrap_or_default().to_owned(),
            Self::Steps { from, to, further } => {
                let (level, rest) = from.split(indent);
                to.indent(level.saturating_add_signed(*further)) + rest
            }
            Self::Instead { from, to } => format!("{to}{}", indent.strip_prefix(from).unwrap_or_default()),
        }
    }
}

/// What leads from the indents of a quote to the text's, line by line.
#[derive(Debug)]
pub enum Shifts<'a> {
    Alike(Shift<'a>),
    Each(Vec<Shift<'a>>),
}

impl<'a> Shifts<'a> {
    /// By what leads from all indents to the text's, or else from each line's own, or from that of the line nearest before
    /// it.
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
