//! Dates and times of day, in UTC; there are no leap seconds during a run.

/// Milliseconds of a day.
const DAY: u64 = 86_400_000;

/// Milliseconds since 1970-01-01T00:00:00 of a text like `2026-01-31T12:00:00Z`; the `Z` may be left out.
pub fn parse(text: &str) -> Result<u64, String> {
    let wrong = || {
        format!("\"{text}\" is no time: it is written \"2026-01-31T12:00:00Z\", from 1970 to 2099")
    };
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (date, time) = text.split_once('T').ok_or_else(wrong)?;
    let numbers = |text: &str, mark: char| -> Option<[u32; 3]> {
        let all: Option<Vec<u32>> = text.split(mark).map(|part| part.parse().ok()).collect();
        all?.try_into().ok()
    };
    let [year, month, day] = numbers(date, '-').ok_or_else(wrong)?;
    let [hour, minute, second] = numbers(time, ':').ok_or_else(wrong)?;
    let is_date = (1970..=2099).contains(&year) && (1..=12).contains(&month) && day >= 1;
    let is_time = hour < 24 && minute < 60 && second < 60;
    if !is_date || !is_time || day > days_of_month(year, month) {
        return Err(wrong());
    }
    let before: u32 = (1970..year).map(days_of_year).sum();
    let days = before + (1..month).map(|month| days_of_month(year, month)).sum::<u32>() + day - 1;
    let seconds = u64::from(hour * 3600 + minute * 60 + second);
    Ok(u64::from(days) * DAY + 1000 * seconds)
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of_year(year: u32) -> u32 {
    365 + u32::from(is_leap(year))
}

fn days_of_month(year: u32, month: u32) -> u32 {
    match month {
        2 => 28 + u32::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Time of day as `hhmmss.sss`.
pub fn time_of_day(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds % DAY / 1000, milliseconds % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hour:02}{minute:02}{second:02}.{rest:03}")
}

/// Date as `ddmmyy`.
pub fn date(milliseconds: u64) -> String {
    let mut days = u32::try_from(milliseconds / DAY).unwrap_or(u32::MAX);
    let mut year = 1970;
    while days >= days_of_year(year) {
        days -= days_of_year(year);
        year += 1;
    }
    let mut month = 1;
    while days >= days_of_month(year, month) {
        days -= days_of_month(year, month);
        month += 1;
    }
    format!("{:02}{month:02}{:02}", days + 1, year % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_times_and_back() {
        let leap_day = parse("2024-02-29T23:59:59Z").unwrap();
        assert_eq!(leap_day, 1_709_251_199_000);
        assert_eq!(
            (time_of_day(leap_day + 250), date(leap_day)),
            ("235959.250".into(), "290224".into())
        );
        assert_eq!(date(leap_day + 1000), "010324");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "noon",
            "2026-02-29T00:00:00Z",
            "2026-01-01",
            "2026-01-01T24:00:00Z",
            "26-1-1T0:0:0",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
