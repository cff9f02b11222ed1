//! Writes a real checkpoint and a real recording into the corpus:
//! `cargo run -p ironbird-fuzz --example corpus`.

fn main() -> std::io::Result<()> {
    let recording = ironbird_fuzz::recording_file();
    let inputs = [
        ("checkpoint/real-body", ironbird_fuzz::checkpoint_body()),
        // Behind the magic: the records as they also may stand in a chunk.
        ("recording/records", recording[8..].to_vec()),
        ("recording/whole", recording),
    ];
    for (name, bytes) in inputs {
        std::fs::write(format!("{}/corpus/{name}", env!("CARGO_MANIFEST_DIR")), bytes)?;
        println!("corpus/{name}");
    }
    Ok(())
}
