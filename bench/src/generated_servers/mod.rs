//! The sandbox, the generated servers, and the MCP client, each compared with a peer.

mod calls;
mod flood;
mod made;
mod measured_tool;
mod ours;
mod processes;
mod start;
mod theirs;

use std::sync::Arc;

use sandbox::{Sandbox, SandboxLevel};

use crate::peer::PythonPeer;
use crate::report::BenchReport;
use crate::server::program;
use ours::Ours;
use theirs::Theirs;

pub async fn run() -> anyhow::Result<BenchReport> {
    let sandbox = Sandbox::probe_with(program()?).await;
    anyhow::ensure!(
        sandbox.level() == SandboxLevel::Full,
        "there is no whole sandbox to measure: {}",
        sandbox.missing().join("; ")
    );
    let peer = PythonPeer::of_mcp().await;
    if let Err(error) = &peer {
        eprintln!("bench: without the official package, so that nothing is compared with it: {error:#}");
    }
    let peer = peer.ok();
    let mut report = BenchReport::new("workshop", method(peer.as_ref()));
    // This comes first, because it waits for all child processes to end.
    start::measure(&mut report, &sandbox).await?;
    let ours = Ours::new(Arc::new(sandbox)).await?;
    let mut theirs = match &peer {
        Some(peer) => Some(Theirs::start(peer)?),
        None => None,
    };
    made::measure(&mut report, &ours, theirs.as_mut()).await?;
    if let Some(theirs) = &mut theirs {
        calls::measure(&mut report, &ours, theirs).await?;
    }
    ours.close();
    flood::measure(&mut report).await?;
    Ok(report)
}

fn method(peer: Option<&PythonPeer>) -> String {
    let (starts, colds, rounds, calls) = (start::ROUNDS, made::COLD, calls::ROUNDS, calls::CALLS);
    let seconds = flood::LENGTH.as_secs();
    let versions = peer.map_or("which could not be installed here", |peer| peer.versions.as_str());
    format!(
        "Everything in one run, and what is compared in turns. Start: `/bin/true`, {starts} times each, with everything that \
         was started and our own part in the processor's time. A tool of hers: one file of Python with two tools, held and \
         in our runner, through our client with all that a turn does for a call; and the same file under the official \
         package ({versions}) and its client, held by nothing. Cold is from the start of the program until its tools are \
         known, {colds} times. Calls: the same server for both clients, {rounds} rounds of {calls} each. Flood: a server \
         greets as it should and then prints as fast as it can for {seconds} seconds, begun anew whenever it was stopped; \
         memory is the resident set of `perigee serve`."
    )
}
