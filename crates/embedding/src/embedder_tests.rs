use super::*;

#[test]
fn without_a_model_it_says_how_to_get_one() {
    let folder = tempfile::tempdir().unwrap();
    let problem = open(folder.path()).unwrap_err();
    assert!(problem.to_string().contains("perigee models pull "), "{problem}");
    assert!(matches!(ModelError::from(problem), ModelError::None(_)));
}
