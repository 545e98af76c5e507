//! Writes her into a folder, to be looked at.
fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    for palette in body::PALETTES {
        std::fs::write(format!("{folder}/{}.vrm", palette.name), body::avatar(&palette))?;
    }
    for known in &body::MOVES {
        std::fs::write(
            format!("{folder}/{}.vrma", known.name),
            body::animation(known.name).unwrap_or_default(),
        )?;
    }
    Ok(())
}
