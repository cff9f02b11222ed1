//! Dates and times of forecasts: `20260320T190000Z` in S-111, `2026-03-20T19:00:00Z` in an experiment.

/// Milliseconds since 1970-01-01 00:00 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DateTime(pub i64);

impl DateTime {
    /// Reads a date and time in UTC, in the basic or the extended format of ISO 8601. Seconds may have
    /// up to three decimals.
    pub fn read(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| {
            format!("\"{text}\" is no date and time in UTC such as \"2026-03-20T19:00:00Z\"")
        })
    }
}

impl std::fmt::Display for DateTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (days, rest) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        let (year, month, day) = date_of(days);
        let seconds = rest / 1000;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if rest % 1000 != 0 {
            write!(f, ".{:03}", rest % 1000)?;
        }
        f.write_str("Z")
    }
}

const DAY: i64 = 86_400_000;

fn parse(text: &str) -> Option<DateTime> {
    let (date, time) = text.trim().strip_suffix('Z')?.split_once('T')?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
    let [year, month, day] = fields(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = fields(clock, ':', [2, 2, 2])?;
    if !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
        return None;
    }
    if hour > 23 || minute > 59 || second > 59 || fraction.len() > 3 {
        return None;
    }
    let fraction = number(&format!("{fraction:0<3}"))?;
    let seconds = (hour * 60 + minute) * 60 + second;
    Some(DateTime(day_number(year, month, day) * DAY + seconds * 1000 + fraction))
}

/// Three numbers of these lengths, with `separator` between them or nothing.
fn fields(text: &str, separator: char, lengths: [usize; 3]) -> Option<[i64; 3]> {
    let digits: String = if text.contains(separator) {
        let parts: Vec<&str> = text.split(separator).collect();
        let fits = parts.iter().map(|part| part.len()).eq(lengths);
        fits.then(|| parts.concat())?
    } else {
        text.into()
    };
    if digits.len() != lengths.iter().sum::<usize>() || !digits.is_ascii() {
        return None;
    }
    let (first, rest) = digits.split_at(lengths[0]);
    let (second, third) = rest.split_at(lengths[1]);
    Some([number(first)?, number(second)?, number(third)?])
}

fn number(digits: &str) -> Option<i64> {
    digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())?
}

fn days_in(year: i64, month: i64) -> i64 {
    let (next_year, next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    day_number(next_year, next, 1) - day_number(year, month, 1)
}

/// Days since 1970-01-01 in the Gregorian calendar, with years that begin in March, so that the day
/// that comes and goes is the last of a year.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leaps + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// The date of a day number.
fn date_of(days: i64) -> (i64, i64, i64) {
    // No year is longer than 366 days: the estimate is never late, and early by at most a few.
    let mut year = 1970 + days.div_euclid(366).min(days.div_euclid(365));
    while day_number(year + 1, 1, 1) <= days {
        year += 1;
    }
    let mut month = 1;
    while month < 12 && day_number(year, month + 1, 1) <= days {
        month += 1;
    }
    (year, month, days - day_number(year, month, 1) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_say_the_same() {
        let basic = DateTime::read("20260320T190000Z").unwrap();
        assert_eq!(basic, DateTime::read("2026-03-20T19:00:00Z").unwrap());
        // As `date -u -d 2026-03-20T19:00:00Z +%s` says.
        assert_eq!(basic.0, 1_774_033_200_000);
        assert_eq!(basic.to_string(), "2026-03-20T19:00:00Z");
        assert_eq!(DateTime::read("2026-03-20T19:00:00.25Z").unwrap().0, basic.0 + 250);
    }

    #[test]
    fn every_day_of_four_centuries_comes_back() {
        for day in -10_000..140_000 {
            let text = DateTime(day * DAY + 1).to_string();
            assert_eq!(DateTime::read(&text).unwrap(), DateTime(day * DAY + 1), "{text}");
        }
        assert_eq!(DateTime::read("2024-02-29T00:00:00Z").unwrap().0, 1_709_164_800_000);
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "",
            "2026-03-20",
            "2026-03-20T19:00:00",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-1-010T00:00:00Z",
            "20260320T240000Z",
            "20260320T19000Z",
            "２０２６0320T190000Z",
            "2026-03-20T19:00:00.1234Z",
            "-0260320T190000Z",
        ] {
            assert!(DateTime::read(text).is_err(), "{text}");
        }
    }
}
