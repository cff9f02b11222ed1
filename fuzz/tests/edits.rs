//! Experiment files that are right, and files that are wrong in one way, after random edits: words
//! swapped, lines dropped and doubled, numbers blown up. All come back.

use std::path::{Path, PathBuf};

/// Where experiments are.
const FOLDERS: [&str; 4] = [
    "../examples/thermostat",
    "../examples/cart-pole",
    "../crates/ironbird/tests/broken/files",
    "corpus/experiment",
];

fn texts() -> Vec<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = std::fs::read_dir(&folder).expect("the folder is there");
        files.extend(entries.map(|entry| entry.expect("it is there").path()));
    }
    files.sort();
    let is_experiment = |file: &&PathBuf| file.extension().is_none_or(|ending| ending == "toml");
    let files = files.iter().filter(is_experiment).filter(|file| file.is_file());
    files.filter_map(|file| std::fs::read_to_string(file).ok()).collect()
}

/// The numbers of a linear congruential generator: the same edits in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Words, quotes and signs by themselves, so that joining them gives the text back.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if is_word && in_word => last.push(c),
            _ => tokens.push(c.into()),
        }
        in_word = is_word;
    }
    tokens
}

const WORDS: [&str; 22] = [
    "199999", "-1", "0", "1e308", "nan", "type", "count", "each", "template", "from", "enabled",
    "in", "\"", ".", "[", "]", "{", "}", "=", "\n", "*", "_",
];

fn edit(tokens: &mut Vec<String>, others: &[String], dice: &mut Dice) {
    let at = dice.below(tokens.len());
    let to = dice.below(tokens.len());
    match dice.below(6) {
        0 => tokens.swap(at, to),
        1 => drop(tokens.remove(at)),
        2 => tokens[at] = WORDS[dice.below(WORDS.len())].into(),
        3 => tokens.insert(at, others[dice.below(others.len())].clone()),
        4 => tokens[at] = others[dice.below(others.len())].clone(),
        _ => {
            let end = (at + dice.below(12)).min(tokens.len());
            let copied = tokens[at..end].to_vec();
            tokens.splice(to..to, copied);
        }
    }
}

#[test]
fn edited_experiments_come_back() {
    let texts = texts();
    assert!(texts.len() > 60, "the experiments are missing");
    let mut dice = Dice(1);
    for text in &texts {
        ironbird_fuzz::experiment(text.as_bytes());
        let others = tokens(&texts[dice.below(texts.len())]);
        if others.is_empty() || text.is_empty() {
            continue;
        }
        for _ in 0..40 {
            let mut tokens = tokens(text);
            for _ in 0..=dice.below(6) {
                if !tokens.is_empty() {
                    edit(&mut tokens, &others, &mut dice);
                }
            }
            ironbird_fuzz::experiment(tokens.concat().as_bytes());
        }
    }
}
