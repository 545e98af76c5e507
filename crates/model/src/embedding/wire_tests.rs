use super::*;

const BOTH: [EmbeddingApi; 2] = [EmbeddingApi::OpenAi, EmbeddingApi::Ollama];

/// Formats a response of either API. The vectors are inserted verbatim, since not all of them are valid JSON.
fn answer(api: EmbeddingApi, vectors: &[&str]) -> String {
    match api {
        EmbeddingApi::OpenAi => {
            let numbered = vectors.iter().enumerate();
            let data: Vec<_> = numbered
                .map(|(index, vector)| {
                    format!(r#"{{"object":"embedding","index":{index},"embedding":{vector}}}"#)
                })
                .collect();
            format!(r#"{{"object":"list","data":[{}],"model":"m"}}"#, data.join(","))
        }
        EmbeddingApi::Ollama => format!(r#"{{"model":"m","embeddings":[{}]}}"#, vectors.join(",")),
    }
}

/// The vectors as written, the number of texts, the expected length and the expected result.
type Case = (&'static [&'static str], usize, Option<usize>, Result<Vec<Vec<f32>>, Flaw>);

#[test]
fn only_whole_vectors_of_one_length_pass() {
    let length = |expected, came| Err(Flaw::Length { expected, came });
    let count = |texts, vectors| Err(Flaw::Count { texts, vectors });
    let cases: [Case; 13] = [
        (&["[1,-0.5]", "[3e-1,2]"], 2, None, Ok(vec![vec![1.0, -0.5], vec![0.3, 2.0]])),
        (&["[1,2]"], 1, Some(2), Ok(vec![vec![1.0, 2.0]])),
        (&["[1,2]"], 1, Some(3), length(3, 2)),
        (&["[1,2]", "[1]"], 2, None, length(2, 1)),
        (&["[]"], 1, None, Err(Flaw::Empty)),
        (&["[1]", "[]"], 2, Some(1), Err(Flaw::Empty)),
        (&[], 1, None, count(1, 0)),
        (&["[1]"], 2, None, count(2, 1)),
        (&["[1]", "[1]"], 1, None, count(1, 2)),
        (&["[1,null]"], 1, None, Err(Flaw::NotANumber)),
        (&["[1,NaN]"], 1, None, Err(Flaw::NotANumber)),
        (&["[1,-Infinity]"], 1, None, Err(Flaw::NotANumber)),
        // It fits in an `f64`, but not in an `f32`.
        (&["[1,1e39]"], 1, None, Err(Flaw::NotANumber)),
    ];
    for (written, texts, dimensions, expected) in cases {
        for api in BOTH {
            let answer = answer(api, written);
            assert_eq!(vectors(api, answer.as_bytes(), texts, dimensions), expected, "{answer}");
        }
    }
}

#[test]
fn what_holds_no_vectors_is_told_apart() {
    let error = json!({ "error": "out of memory" });
    for (answer, expected) in [
        (" \n", Flaw::Nothing),
        ("<!DOCTYPE html><p>NaN", Flaw::WebPage),
        (r#"{"error":"out of memory"}"#, Flaw::Error(error)),
        (r#"{"error":null}"#, Flaw::Unreadable),
        (r#"{"data":[{"embedding":"AACAPw==","index":0}],"embeddings":"AACAPw=="}"#, Flaw::Unreadable),
        (r#"{"data":[{"embedding":[1,"#, Flaw::Unreadable),
        ("[[1,2]]", Flaw::Unreadable),
        ("null", Flaw::Unreadable),
    ] {
        for api in BOTH {
            assert_eq!(vectors(api, answer.as_bytes(), 1, None), Err(expected.clone()), "{answer}");
        }
    }
}

#[test]
fn numbers_decide_which_vector_belongs_to_which_text() {
    let sorted = Ok(vec![vec![1.0], vec![2.0], vec![3.0]]);
    let cases = [
        ([Some(2), Some(0), Some(1)], sorted.clone()),
        ([Some(0), Some(1), Some(2)], sorted),
        ([Some(0), Some(0), Some(1)], Err(Flaw::Numbering)),
        ([Some(1), Some(2), Some(3)], Err(Flaw::Numbering)),
        ([Some(0), None, Some(2)], Err(Flaw::Numbering)),
    ];
    for (numbers, expected) in cases {
        let data: Vec<_> = numbers
            .iter()
            .map(|number| json!({ "index": number, "embedding": [number.unwrap_or_default() + 1] }))
            .collect();
        let answer = json!({ "data": data }).to_string();
        assert_eq!(vectors(EmbeddingApi::OpenAi, answer.as_bytes(), 3, None), expected, "{answer}");
    }
    let zeros = br#"{"data":[{"embedding":[0, 0]}]}"#;
    assert_eq!(vectors(EmbeddingApi::OpenAi, zeros, 1, None), Err(Flaw::Zeros));
    let unnumbered = br#"{"data":[{"embedding":[7]},{"embedding":[5]}]}"#;
    assert_eq!(vectors(EmbeddingApi::OpenAi, unnumbered, 2, None), Ok(vec![vec![7.0], vec![5.0]]));
}

#[test]
fn no_text_is_sent_empty() {
    let texts = ["", " \n\t", " moon "].map(ToOwned::to_owned);
    for api in BOTH {
        assert_eq!(question(api, "m", &texts)["input"], json!([".", ".", " moon "]));
    }
}
