//! The learned weights: a table of marks, and a table for each kind of vector.
//!
//! The file consists of `PGE1`, the number of marks, their hashes in ascending order (big-endian), seven signed bytes
//! for each mark, and three heads. A head consists of the length of its vector, seven scales for the marks, seven
//! biases, seven scales for the vector's table, and that table.

use std::sync::LazyLock;

const CLASSES: usize = 7;
/// The number of marks above which each one has less weight.
const USUAL: f32 = 30.0;
const DAMPING: f32 = 0.4;

pub(super) type Scores = [f32; CLASSES];
type Row = [u8; CLASSES];

/// The input of the scores, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClassifierHead {
    Words,
    MiniLm,
    WordLlama,
}

#[derive(Debug)]
struct Weights {
    marks: &'static [[u8; 4]],
    rows: &'static [Row],
    heads: [Table; 3],
}

#[derive(Debug)]
struct Table {
    words: Scores,
    start: Scores,
    worth: Scores,
    rows: &'static [Row],
}

static WEIGHTS: LazyLock<Option<Weights>> = LazyLock::new(|| Weights::parse(include_bytes!("weights.bin")));

/// Returns the score of each class, or `None` if the vector does not match the head.
pub(super) fn scores(marks: &[u32], head: ClassifierHead, vector: &[f32]) -> Option<Scores> {
    let weights = WEIGHTS.as_ref()?;
    let table = &weights.heads[head as usize];
    let length = length(vector, table.rows.len())?;
    let words = weights.words(marks);
    let mut scores = [0.0; CLASSES];
    for (row, number) in table.rows.iter().zip(vector) {
        for (score, &weight) in scores.iter_mut().zip(row) {
            *score += number / length * f32::from(weight.cast_signed());
        }
    }
    for (class, score) in scores.iter_mut().enumerate() {
        *score = *score * table.worth[class] + words[class] * table.words[class] + table.start[class];
    }
    Some(scores)
}

/// Returns the norm of a vector, or `None` if its length or its values are invalid.
fn length(vector: &[f32], expected: usize) -> Option<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    let sound = vector.len() == expected && (expected == 0 || (length.is_finite() && length > f32::EPSILON));
    sound.then_some(length)
}

impl Weights {
    fn words(&self, marks: &[u32]) -> Scores {
        let mut sum = [0_i32; CLASSES];
        let mut known = 0_u16;
        for mark in marks {
            let Ok(at) = self.marks.binary_search(&mark.to_be_bytes()) else { continue };
            known = known.saturating_add(1);
            for (sum, &weight) in sum.iter_mut().zip(&self.rows[at]) {
                *sum += i32::from(weight.cast_signed());
            }
        }
        let loudness = (f32::from(known.max(1)) / USUAL).powf(-DAMPING);
        // A sentence has a few thousand marks at most, so the conversion is exact.
        #[allow(clippy::cast_precision_loss)]
        sum.map(|sum| sum as f32 * loudness)
    }

    /// Parses the file; `None` if its format is invalid.
    fn parse(file: &'static [u8]) -> Option<Self> {
        let mut rest = file.strip_prefix(b"PGE1")?;
        let count = count(&mut rest)?;
        let (marks, _) = take(&mut rest, count.checked_mul(4)?)?.as_chunks();
        let rows = rows(&mut rest, count)?;
        let heads = [table(&mut rest)?, table(&mut rest)?, table(&mut rest)?];
        (rest.is_empty() && marks.is_sorted()).then_some(Self { marks, rows, heads })
    }
}

fn table(rest: &mut &'static [u8]) -> Option<Table> {
    let length = count(rest)?;
    let [words, start, worth] = [scale(rest)?, scale(rest)?, scale(rest)?];
    Some(Table { words, start, worth, rows: rows(rest, length)? })
}

fn take(rest: &mut &'static [u8], length: usize) -> Option<&'static [u8]> {
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken)
}

fn count(rest: &mut &'static [u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(take(rest, 4)?.try_into().ok()?)).ok()
}

fn rows(rest: &mut &'static [u8], count: usize) -> Option<&'static [Row]> {
    Some(take(rest, count.checked_mul(CLASSES)?)?.as_chunks().0)
}

fn scale(rest: &mut &'static [u8]) -> Option<Scores> {
    let (numbers, _) = take(rest, CLASSES * 4)?.as_chunks();
    let mut scale = [0.0; CLASSES];
    for (number, &bytes) in scale.iter_mut().zip(numbers) {
        *number = f32::from_le_bytes(bytes);
    }
    scale.iter().all(|number| number.is_finite()).then_some(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_sound_and_small() {
        let weights = WEIGHTS.as_ref().unwrap();
        assert!(weights.marks.len() > 10_000);
        assert_eq!(weights.heads.each_ref().map(|head| head.rows.len()), [0, 384, 256]);
        assert!(include_bytes!("weights.bin").len() < 300 << 10);
    }

    #[test]
    fn a_damaged_file_is_no_weights() {
        let file = include_bytes!("weights.bin");
        let longer: &'static [u8] = Vec::leak([file.as_slice(), &[0]].concat());
        let many: &'static [u8] = b"PGE1\xff\xff\xff\xff";
        for bad in [&[][..], b"PGE1", b"PGE2", many, &file[..file.len() - 1], &file[1..], longer] {
            assert!(Weights::parse(bad).is_none(), "{} bytes", bad.len());
        }
    }
}
