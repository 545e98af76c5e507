/// The maximum number of texts in one request. Some servers accept no more by default.
const MOST_TEXTS: usize = 32;
/// The maximum number of bytes in one request: some tens of thousands of tokens, which a slow machine can process
/// within the timeout.
const MOST_BYTES: usize = 256 << 10;

/// Splits a list of texts into batches that fit in one request. A text that is too large by itself gets a batch of its
/// own.
pub(super) fn batches(texts: &[String]) -> impl Iterator<Item = &[String]> {
    let mut rest = texts;
    std::iter::from_fn(move || {
        let (batch, others) = rest.split_at(first_batch(rest));
        rest = others;
        (!batch.is_empty()).then_some(batch)
    })
}

fn first_batch(texts: &[String]) -> usize {
    let mut bytes = 0;
    let fits = |text: &&String| {
        bytes += text.len();
        bytes <= MOST_BYTES
    };
    let fitting = texts.iter().take(MOST_TEXTS).take_while(fits).count();
    fitting.max(1).min(texts.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_request_is_too_large_and_no_text_is_lost() {
        let huge = MOST_BYTES + 1;
        let half = MOST_BYTES / 2;
        let cases: [(Vec<usize>, &[usize]); 7] = [
            (vec![], &[]),
            (vec![0], &[1]),
            (vec![5; 32], &[32]),
            (vec![5; 65], &[32, 32, 1]),
            (vec![half; 5], &[2, 2, 1]),
            (vec![1, huge, 1], &[1, 1, 1]),
            (vec![huge, huge], &[1, 1]),
        ];
        for (lengths, expected) in cases {
            let texts: Vec<_> = lengths.iter().map(|&length| "x".repeat(length)).collect();
            let sizes: Vec<_> = batches(&texts).map(<[String]>::len).collect();
            assert_eq!(sizes, expected);
            assert_eq!(batches(&texts).flatten().collect::<Vec<_>>(), texts.iter().collect::<Vec<_>>());
        }
    }
}
