//! Times on the command line: seconds, minutes and seconds, ISO 8601 durations and dates.

use jiff::{SignedDuration, Timestamp, civil::DateTime, tz::Offset};

/// A time that an argument names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TimeArg {
    /// Seconds on the clock of the capture.
    Relative(f64),
    /// A date, in seconds since 1970.
    Absolute(f64),
}

impl TimeArg {
    /// Returns the time in seconds on the clock of a capture, whose second 0 is `start` seconds after
    /// 1970.
    ///
    /// # Errors
    /// A sentence, if the time is a date and the capture has none.
    pub(crate) fn seconds(self, start: Option<f64>) -> Result<f64, String> {
        match (self, start) {
            (Self::Relative(seconds), _) => Ok(seconds),
            (Self::Absolute(date), Some(start)) => Ok(date - start),
            (Self::Absolute(_), None) => {
                Err("the capture has a clock without dates; give the time in seconds".to_owned())
            }
        }
    }
}

/// Parses a time, as [`parse_seconds`] does, or a date like `2013-09-18T12:34:56Z`. A date without an
/// offset is in UTC.
pub(crate) fn parse_time(text: &str) -> Result<TimeArg, String> {
    if let Ok(seconds) = parse_seconds(text) {
        return Ok(TimeArg::Relative(seconds));
    }
    let civil = || text.parse::<DateTime>().and_then(|date| Offset::UTC.to_timestamp(date));
    let date = text.parse::<Timestamp>().or_else(|_| civil());
    date.map(|date| TimeArg::Absolute(date.as_duration().as_secs_f64())).map_err(|_| {
        format!(
            "`{text}` is not a number of seconds or a date; use a time like 83.5, 1:23.5 or PT83.5S, or a date like 2013-09-18T12:34:56Z"
        )
    })
}

/// A time, or a range of times, that an argument names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RangeArg {
    from: TimeArg,
    to: TimeArg,
}

/// A range in seconds on the clock of a capture. Start and end are equal for an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeRange {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl RangeArg {
    /// Returns the range on the clock of a capture, whose second 0 is `start` seconds after 1970.
    ///
    /// # Errors
    /// A sentence, if it contains a date and the capture has none, or if it ends before it begins.
    pub(crate) fn seconds(self, start: Option<f64>) -> Result<TimeRange, String> {
        let (from, to) = (self.from.seconds(start)?, self.to.seconds(start)?);
        if from > to {
            return Err(format!("the range ends before it begins; use {to}..{from}"));
        }
        Ok(TimeRange { from, to })
    }
}

/// Parses a time as [`parse_time`] does, or a range like `18..21` or `18-21`.
pub(crate) fn parse_range(text: &str) -> Result<RangeArg, String> {
    let instant = parse_time(text);
    if let Ok(at) = instant {
        return Ok(RangeArg { from: at, to: at });
    }
    // A minus at the beginning is a sign.
    let dash = text.char_indices().skip(1).find(|(_, letter)| *letter == '-').map(|(index, _)| index);
    let parts = text.split_once("..").or_else(|| dash.map(|dash| (&text[..dash], &text[dash + 1..])));
    match parts {
        Some((from, to)) => Ok(RangeArg { from: parse_time(from)?, to: parse_time(to)? }),
        None => Err(format!("{}, or a range like 18..21", instant.err().unwrap_or_default())),
    }
}

/// Parses a finite time in seconds: `83.5`, `1:23.5`, `0:01:23.5` or the ISO 8601 duration
/// `PT1M23.5S`. A minus sign may precede it.
pub(crate) fn parse_seconds(text: &str) -> Result<f64, String> {
    let plain = || text.strip_suffix('s').unwrap_or(text).parse::<f64>().ok();
    let is_iso = text.trim_start_matches(['+', '-']).starts_with(['P', 'p']);
    let duration = || text.parse::<SignedDuration>().ok().filter(|_| is_iso);
    let iso = || duration().map(|duration| duration.as_secs_f64());
    let seconds = plain().or_else(|| clock(text)).or_else(iso);
    seconds.filter(|seconds| seconds.is_finite()).ok_or_else(|| {
        format!("`{text}` is not a number of seconds, like 12.5; 1:23.5 and PT83.5S are times too")
    })
}

/// Parses minutes and seconds, with hours or without.
fn clock(text: &str) -> Option<f64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let parts: Vec<&str> = digits.split(':').collect();
    let (hours, minutes, seconds) = match parts[..] {
        [minutes, seconds] => ("0", minutes, seconds),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return None,
    };
    let is_number = |part: &str| part.starts_with(|first: char| first.is_ascii_digit());
    if ![hours, minutes, seconds].into_iter().all(is_number) {
        return None;
    }
    let (hours, minutes) = (hours.parse::<u32>().ok()?, minutes.parse::<u32>().ok()?);
    let seconds = seconds.parse::<f64>().ok().filter(|seconds| *seconds < 60.0)?;
    let is_clock = parts.len() == 2 || minutes < 60;
    is_clock.then(|| sign * (f64::from(hours) * 3_600.0 + f64::from(minutes) * 60.0 + seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_time_has_several_spellings() {
        for text in ["83.5", "83.5s", "1:23.5", "01:23.5", "0:01:23.5", "PT83.5S", "PT1M23.5S"] {
            assert_eq!(parse_seconds(text), Ok(83.5), "{text}");
        }
        assert_eq!(parse_seconds("-1:30"), Ok(-90.0));
        assert_eq!(parse_seconds("90:00"), Ok(5_400.0));
        assert_eq!(parse_seconds("-119.05"), Ok(-119.05));
    }

    #[test]
    fn other_texts_are_refused_with_an_example() {
        for text in
            ["nan", "inf", "", ":", "1:", ":5", "1:60", "1:61:00", "1:2:3:4", "1:-5", "1:nan", "PT", "x"]
        {
            let problem = parse_seconds(text).unwrap_err();
            assert!(problem.contains("is not a number of seconds, like 12.5"), "{text}: {problem}");
            assert!(parse_time(text).is_err(), "{text}");
        }
        assert!(parse_seconds("2013-09-18T12:34:56Z").is_err());
    }

    #[test]
    fn a_range_has_two_ends() {
        let range = |text: &str| parse_range(text).and_then(|range| range.seconds(None));
        assert_eq!(range("19.3"), Ok(TimeRange { from: 19.3, to: 19.3 }));
        for text in ["18..21", "18-21", "0:18..PT21S"] {
            assert_eq!(range(text), Ok(TimeRange { from: 18.0, to: 21.0 }), "{text}");
        }
        assert_eq!(range("-5--3"), Ok(TimeRange { from: -5.0, to: -3.0 }));
        assert_eq!(range("21..18"), Err("the range ends before it begins; use 18..21".to_owned()));
        assert!(range("soon").unwrap_err().ends_with("or a range like 18..21"));
        let dates = parse_range("2013-09-18T12:34:56Z..2013-09-18T12:34:58Z").unwrap();
        assert_eq!(dates.seconds(Some(1_379_507_690.0)), Ok(TimeRange { from: 6.0, to: 8.0 }));
    }

    #[test]
    fn dates_count_from_the_start_of_a_capture() {
        let date = parse_time("2013-09-18T12:34:56Z").unwrap();
        assert_eq!(date, TimeArg::Absolute(1_379_507_696.0));
        assert_eq!(parse_time("2013-09-18T14:34:56+02:00"), Ok(date));
        assert_eq!(parse_time("2013-09-18 12:34:56"), Ok(date));
        assert_eq!(date.seconds(Some(1_379_507_690.0)), Ok(6.0));
        assert!(date.seconds(None).unwrap_err().contains("without dates"));
        assert_eq!(parse_time("1:00").unwrap().seconds(None), Ok(60.0));
    }
}
