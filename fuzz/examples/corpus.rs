//! Writes the body of a real checkpoint into the corpus: `cargo run -p ironbird-fuzz --example corpus`.

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/checkpoint/real-body");
    std::fs::write(path, ironbird_fuzz::checkpoint_body())?;
    println!("corpus/checkpoint/real-body");
    Ok(())
}
