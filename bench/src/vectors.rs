//! The vector index compared with chromadb, and the embedding model compared with onnxruntime in Python.

use std::collections::HashSet;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use host::Program;
use model::EmbeddingModel as _;
use serde::Deserialize;
use vectors::Vectors;

use crate::peer::PythonPeer;
use crate::report::{BenchReport, Goal};
use crate::statistics::{median, percentile};

const DIMENSIONS: usize = 384;
const QUERIES: usize = 200;
const WANTED: usize = 10;
const SENTENCES: usize = 2000;
const SCRIPT: &str = include_str!("vectors_peer.py");

#[derive(Deserialize)]
struct Embedded {
    times: Vec<f64>,
    vectors: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct Searched {
    insert: f64,
    memory: f64,
    times: Vec<f64>,
    found: Vec<Vec<u64>>,
}

/// Measures each of the sizes in turn. A million vectors take the peer half an hour, so they are a separate benchmark.
pub async fn run(name: &'static str, sizes: &[usize]) -> anyhow::Result<BenchReport> {
    let peer = PythonPeer::prepare().await?;
    let work = tempfile::tempdir()?;
    let models = models()?;
    let method = format!(
        "{SENTENCES} sentences, embedded one by one with the same model on one thread, here and by onnxruntime's \
         Python. Then so many vectors of {DIMENSIONS} numbers: two of these sentences mixed, and noise. Both get the \
         same, and {QUERIES} queries made in the same way, for the {WANTED} nearest. Recall is beside comparing all. An \
         insert counts when the next search finds it; regions, which ours makes in the background, are listed apart. \
         Memory is the growth of the resident set; of ours, not less than what it says itself. Peer: {}.",
        peer.versions
    );
    let mut report = BenchReport::new(name, method);
    let sentences = sentences(SENTENCES);
    let base = embedding(&mut report, &peer, &models, work.path(), &sentences).await?;
    for &size in sizes {
        eprintln!("bench: {size} vectors …");
        search(&mut report, &peer, work.path(), &base, size).await?;
    }
    Ok(report)
}

fn models() -> anyhow::Result<PathBuf> {
    let folder = std::env::var_os("PERIGEE_TEST_MODELS").map(PathBuf::from);
    folder.or_else(|| host::cache_dir().map(|cache| cache.join("models"))).context("there is no cache folder")
}

/// Returns the vectors of the sentences, on which both sides must agree.
async fn embedding(
    report: &mut BenchReport,
    peer: &PythonPeer,
    models: &Path,
    work: &Path,
    sentences: &[String],
) -> anyhow::Result<Vec<Vec<f32>>> {
    let embedder = embedding::open(models)?;
    anyhow::ensure!(embedder.dimensions() == DIMENSIONS, "{} is not the model to measure", embedder.name());
    embedder.embed(&sentences[..20]).await?;
    let (mut times, mut vectors) = (Vec::new(), Vec::new());
    for sentence in sentences {
        let begun = Instant::now();
        vectors.extend(embedder.embed(std::slice::from_ref(sentence)).await?);
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    let texts = work.join("texts.json");
    host::atomic_write(&texts, &serde_json::to_vec(&sentences)?)?;
    let (model, tokenizer) =
        (models.join("all-minilm-l6-v2.onnx"), models.join("all-minilm-l6-v2.tokenizer.json"));
    let theirs: Embedded =
        ask(peer, &["embed".as_ref(), model.as_path(), tokenizer.as_path(), texts.as_path()]).await?;
    let least = vectors.iter().zip(&theirs.vectors).map(|(a, b)| product(a, b)).fold(1.0, f32::min);
    let (ours, theirs) = (median(&times), median(&theirs.times));
    report.row("embed_ms", "embedding a sentence, median", ours, "ms", None);
    report.row("embed_peer_ms", "onnxruntime's Python", theirs, "ms", None);
    report.row("embed_ratio", "embedding, ours ÷ theirs", ours / theirs, "×", Some(Goal::AtMost(1.0)));
    report.row("embed_likeness", "cosine of the two, at least", least.into(), "", Some(Goal::AtLeast(0.999)));
    Ok(vectors)
}

async fn search(
    report: &mut BenchReport,
    peer: &PythonPeer,
    work: &Path,
    base: &[Vec<f32>],
    size: usize,
) -> anyhow::Result<()> {
    let (file, asked) = (work.join("vectors.f32"), work.join("queries.f32"));
    let mut dice = Dice(size as u64);
    write(&file, base, size, &mut dice)?;
    write(&asked, base, QUERIES, &mut dice)?;
    let queries = read(&asked)?;
    let truth = truth(&file, &queries)?;

    let before = resident()?;
    let mut vectors = Vectors::new(DIMENSIONS);
    let mut insert = 0.0;
    let mut key = 0;
    each_batch(&file, |batch| {
        let begun = Instant::now();
        for vector in batch {
            vectors.insert(key, vector)?;
            key += 1;
        }
        insert += begun.elapsed().as_secs_f64();
        let (newest, _) = vectors.search(&batch[batch.len() - 1], 1, |_| true)[0];
        anyhow::ensure!(newest == key - 1, "what was inserted is not found");
        Ok(())
    })?;
    let begun = Instant::now();
    if let Some(sample) = vectors.sample_for_regions() {
        vectors.use_regions(sample.build()?);
        while !vectors.assign_regions(1000).is_empty() {}
    }
    let settling = begun.elapsed().as_secs_f64();
    // Memory that the allocator reuses does not increase the resident set, but counts as used.
    #[allow(clippy::cast_precision_loss)]
    let memory = (resident()? - before).max(vectors.memory() as f64);
    let (mut times, mut found) = (Vec::new(), Vec::new());
    for query in queries.iter().chain(&queries) {
        let begun = Instant::now();
        let nearest = vectors.search(query, WANTED, |_| true);
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        found.push(nearest.into_iter().map(|(key, _)| key).collect::<Vec<_>>());
    }
    let (times, found) = (times.split_off(QUERIES), found.split_off(QUERIES));
    let loading = loading(&vectors, work)?;
    drop(vectors);

    let folder = tempfile::tempdir_in(work)?;
    let theirs: Searched =
        ask(peer, &["search".as_ref(), file.as_path(), asked.as_path(), folder.path()]).await?;
    drop(folder);
    let what = |text: &str| format!("{size}: {text}");
    let key = |text: &str| format!("{text}_{size}");
    let half = Some(Goal::AtMost(0.5));
    let (ours, other) = (median(&times), median(&theirs.times));
    report.row(key("query_ms"), what("query, median"), ours, "ms", None);
    report.row(key("query_p95_ms"), what("query, p95"), percentile(&times, 95.0), "ms", None);
    report.row(key("query_peer_ms"), what("chromadb: query, median"), other, "ms", None);
    let tail = percentile(&theirs.times, 95.0);
    report.row(key("query_p95_peer_ms"), what("chromadb: query, p95"), tail, "ms", None);
    report.row(key("query_ratio"), what("query, ours ÷ theirs"), ours / other, "×", half);
    let share = recall(&found, &truth);
    report.row(key("recall"), what("recall of the true neighbours"), share, "", Some(Goal::AtLeast(0.99)));
    report.row(key("recall_peer"), what("chromadb: recall"), recall(&theirs.found, &truth), "", None);
    report.row(key("insert_s"), what("insert, all"), insert, "s", None);
    report.row(key("settling_s"), what("making regions, in the background"), settling, "s", None);
    let faster = theirs.insert / insert;
    report.row(key("insert_ratio"), what("insert, theirs ÷ ours"), faster, "×", Some(Goal::AtLeast(10.0)));
    report.row(key("memory_mb"), what("memory"), memory / 1e6, "MB", None);
    report.row(key("memory_ratio"), what("memory, ours ÷ theirs"), memory / theirs.memory, "×", half);
    report.row(key("loading_ms"), what("loading at the start, from one file"), loading, "ms", None);
    Ok(())
}

/// Returns the milliseconds from a file with the key, region and bytes of each vector to a searchable index.
fn loading(vectors: &Vectors, work: &Path) -> anyhow::Result<f64> {
    let path = work.join("kept");
    let mut out = BufWriter::new(tempfile::NamedTempFile::new_in(work)?);
    let kept = vectors.regions().map(vectors::Regions::to_bytes);
    for key in 0..vectors.len() as u64 {
        let region = vectors.region(key).map_or(0, vectors::RegionId::number);
        out.write_all(&key.to_le_bytes())?;
        out.write_all(&region.to_le_bytes())?;
        out.write_all(vectors.encoded(key).context("a vector is gone")?)?;
    }
    out.into_inner()?.persist(&path)?;
    let begun = Instant::now();
    let regions = kept.and_then(|kept| vectors::Regions::from_bytes(&kept, DIMENSIONS));
    let mut again = regions.map_or_else(|| Vectors::new(DIMENSIONS), Vectors::with_regions);
    let mut rows = std::io::BufReader::with_capacity(1 << 20, std::fs::File::open(&path)?);
    let mut row = vec![0; 12 + 4 + 2 * DIMENSIONS];
    for _ in 0..vectors.len() {
        rows.read_exact(&mut row)?;
        let (key, rest) = row.split_first_chunk().context("a row is too short")?;
        let (region, code) = rest.split_first_chunk().context("a row is too short")?;
        let region = vectors::RegionId::from_number(u32::from_le_bytes(*region));
        again.restore(u64::from_le_bytes(*key), code, Some(region))?;
    }
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}

async fn ask<Answer: serde::de::DeserializeOwned>(
    peer: &PythonPeer,
    arguments: &[&Path],
) -> anyhow::Result<Answer> {
    let program = Program::new(&peer.python).args(["-c", SCRIPT]).args(arguments);
    let finished = program.time_limit(Duration::from_hours(2)).output_limit(64 << 20).run().await?;
    anyhow::ensure!(finished.status.success(), "{}", finished.stderr);
    Ok(serde_json::from_slice(&finished.stdout)?)
}

#[allow(clippy::cast_precision_loss)]
fn recall(found: &[Vec<u64>], truth: &[HashSet<u64>]) -> f64 {
    let hits: usize = found
        .iter()
        .zip(truth)
        .map(|(found, truth)| found.iter().filter(|key| truth.contains(key)).count())
        .sum();
    hits as f64 / (truth.len() * WANTED) as f64
}

/// Returns the nearest vectors of each query by comparison with all vectors.
fn truth(file: &Path, queries: &[Vec<f32>]) -> anyhow::Result<Vec<HashSet<u64>>> {
    let mut best: Vec<Vec<(f32, u64)>> = vec![Vec::new(); queries.len()];
    let mut first = 0;
    each_batch(file, |batch| {
        for (query, best) in queries.iter().zip(&mut best) {
            best.extend((first..).zip(batch).map(|(key, vector)| (product(query, vector), key)));
            best.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            best.truncate(WANTED);
        }
        first += batch.len() as u64;
        Ok(())
    })?;
    Ok(best.into_iter().map(|best| best.into_iter().map(|(_, key)| key).collect()).collect())
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for lane in 0..16 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// Writes vectors like those of the sentences: a mixture of two with noise, normalised to length one.
fn write(path: &Path, base: &[Vec<f32>], count: usize, dice: &mut Dice) -> anyhow::Result<()> {
    let mut out = BufWriter::new(tempfile::NamedTempFile::new_in(path.parent().context("no folder")?)?);
    for _ in 0..count {
        let (one, other) = (dice.pick(base), dice.pick(base));
        let (share, noise) = (0.6 * dice.number(), 0.1 + 0.4 * dice.number());
        // The sum of four uniform numbers approximates a normal distribution.
        let mut bell = || ((0..4).map(|_| dice.number()).sum::<f32>() - 2.0) * 1.732;
        let scale = noise / 384_f32.sqrt();
        let mixed: Vec<f32> = one.iter().zip(other).map(|(a, b)| a + share * b + scale * bell()).collect();
        let length = product(&mixed, &mixed).sqrt();
        for number in mixed {
            out.write_all(&(number / length).to_le_bytes())?;
        }
    }
    out.into_inner()?.persist(path)?;
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Vec<Vec<f32>>> {
    let mut all = Vec::new();
    each_batch(path, |batch| {
        all.extend_from_slice(batch);
        Ok(())
    })?;
    Ok(all)
}

fn each_batch(path: &Path, mut take: impl FnMut(&[Vec<f32>]) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut file = std::io::BufReader::with_capacity(1 << 20, std::fs::File::open(path)?);
    let mut left = usize::try_from(std::fs::metadata(path)?.len())? / (4 * DIMENSIONS);
    let mut bytes = vec![0; 4 * DIMENSIONS];
    while left > 0 {
        let mut batch = Vec::new();
        for _ in 0..left.min(1000) {
            file.read_exact(&mut bytes)?;
            batch.push(bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect());
        }
        left -= batch.len();
        take(&batch)?;
    }
    Ok(())
}

/// Returns the resident memory of this process in bytes.
fn resident() -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no resident set")?;
    Ok(line.split_whitespace().next().context("no number")?.parse::<f64>()? * 1024.0)
}

/// Returns everyday sentences that are all different.
fn sentences(count: usize) -> Vec<String> {
    const WHO: [&str; 12] = [
        "I",
        "My sister",
        "Our neighbour",
        "Tomás",
        "The new doctor",
        "My old teacher",
        "Grandma",
        "A friend from work",
        "The woman upstairs",
        "Ada",
        "My boss",
        "The plumber",
    ];
    const DID: [&str; 16] = [
        "moved to",
        "cooked dinner for everyone in",
        "lost a wallet in",
        "is learning the language of",
        "sold a bicycle in",
        "found a kitten near",
        "dreams of a garden in",
        "broke an arm while skating in",
        "is allergic to something that grows in",
        "took the night train to",
        "is getting married in",
        "gave a talk about whales in",
        "quit a job at the bank in",
        "painted the kitchen green after a trip to",
        "was born in",
        "plays the cello in an orchestra in",
    ];
    const PLACE: [&str; 14] = [
        "Lyon",
        "Osaka",
        "a village by the sea",
        "Montréal",
        "the Black Forest",
        "Lagos",
        "her mother's house",
        "Reykjavík",
        "the old harbour",
        "Porto",
        "Chicago",
        "the Alps",
        "Wellington",
        "a suburb of Kraków",
    ];
    const WHEN: [&str; 9] = [
        "last spring",
        "in 2019",
        "two weeks ago",
        "on a rainy Tuesday",
        "before the wedding",
        "this morning",
        "when the lease ended",
        "over the holidays",
        "for the first time",
    ];
    let mut dice = Dice(7);
    let mut seen = HashSet::new();
    let mut pick = |words: &[&'static str]| words[dice.below(words.len())];
    std::iter::repeat_with(|| format!("{} {} {} {}.", pick(&WHO), pick(&DID), pick(&PLACE), pick(&WHEN)))
        .filter(|sentence| seen.insert(sentence.clone()))
        .take(count)
        .collect()
}

/// A pseudo-random number generator with the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from zero to one.
    #[allow(clippy::cast_precision_loss)]
    fn number(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }

    #[allow(clippy::cast_possible_truncation)]
    fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit
    }

    fn pick<'a>(&mut self, base: &'a [Vec<f32>]) -> &'a [f32] {
        &base[self.below(base.len())]
    }
}
