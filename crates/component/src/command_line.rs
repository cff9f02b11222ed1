//! A command line as a text: words, apart by spaces, with quotes where a word has some.

/// The words of a command line, as a shell would see them without any of its expansions.
///
/// # Errors
/// If a quote is not closed.
pub fn split_words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(letter),
            (_, '\\') => match letters.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("nothing follows the last \\".into()),
            },
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    match quote {
        Some(open) => Err(format!("a quote ({open}) is not closed")),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

/// Words as a command line, which [`split_words`] takes apart again.
pub fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    let quoted = words.into_iter().map(|word| {
        if !word.is_empty() && word.chars().all(plain) {
            return word.to_owned();
        }
        format!("'{}'", word.replace('\'', "'\\''"))
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_apart_by_spaces_that_are_not_quoted() {
        let words = split_words("  fly --name 'two words' \"a \\\" b\" x\\ y '' \n z").unwrap();
        assert_eq!(words, ["fly", "--name", "two words", "a \" b", "x y", "", "z"]);
        assert!(split_words("").unwrap().is_empty());
    }

    #[test]
    fn words_that_are_joined_come_apart_as_they_were() {
        let words = ["fly", "", "two words", "it's", "a\\b", "\"", "--x=1"];
        assert_eq!(split_words(&join_words(words)).unwrap(), words);
        assert_eq!(join_words(["./fly", "--fast"]), "./fly --fast");
    }

    #[test]
    fn an_open_quote_is_refused() {
        assert_eq!(split_words("a 'b").unwrap_err(), "a quote (') is not closed");
        assert_eq!(split_words("a \\").unwrap_err(), "nothing follows the last \\");
    }
}
