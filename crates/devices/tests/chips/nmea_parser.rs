//! A second reader of NMEA 0183, which shares nothing with the writer.

/// Sentences with a right check sum, as fields; panics at anything else.
pub fn sentences(bytes: &[u8]) -> Vec<Vec<String>> {
    let text = std::str::from_utf8(bytes).expect("text");
    assert!(text.is_empty() || text.ends_with("\r\n"), "{text:?}");
    text.split_terminator("\r\n").map(fields).collect()
}

pub fn fields(line: &str) -> Vec<String> {
    assert!(line.len() <= 82 + 12, "{} characters: {line}", line.len());
    let inner = line.strip_prefix('$').unwrap_or_else(|| panic!("no dollar: {line:?}"));
    let star = inner.find('*').unwrap_or_else(|| panic!("no star: {line:?}"));
    let mut sum = 0u8;
    for byte in &inner.as_bytes()[..star] {
        sum ^= byte;
    }
    let digits = &inner[star + 1..];
    assert_eq!(digits, format!("{sum:02X}"), "{line:?}");
    inner[..star].split(',').map(String::from).collect()
}

/// Degrees of `ddmm.mmmm` and a letter.
pub fn degrees(value: &str, side: &str) -> f64 {
    let point = value.find('.').expect("a point");
    let (whole, minutes) = value.split_at(point - 2);
    let degrees =
        whole.parse::<f64>().expect("degrees") + minutes.parse::<f64>().expect("minutes") / 60.0;
    match side {
        "N" | "E" => degrees,
        "S" | "W" => -degrees,
        other => panic!("no side of the world: {other:?}"),
    }
}
