//! Metrics in the text format of Prometheus.

use std::fmt::Write as _;

/// Writes families of metrics, each with its samples.
///
/// ```
/// use evenstride_watch::MetricsText;
///
/// let mut text = MetricsText::default();
/// text.counter("evenstride_datagrams_total", "Datagrams.", &[("direction", "to \"A\"")], 7.0);
/// let text = text.finish();
/// assert!(text.contains("# TYPE evenstride_datagrams_total counter\n"));
/// assert!(text.ends_with("evenstride_datagrams_total{direction=\"to \\\"A\\\"\"} 7\n"));
/// ```
#[derive(Debug, Default)]
pub struct MetricsText {
    families: Vec<Family>,
}

#[derive(Debug)]
struct Family {
    name: &'static str,
    help: &'static str,
    kind: &'static str,
    samples: String,
}

/// A label and its value.
type Label<'a> = (&'a str, &'a str);

impl MetricsText {
    /// Adds a sample of a counter.
    pub fn counter(&mut self, name: &'static str, help: &'static str, labels: &[Label<'_>], value: f64) {
        self.sample(name, help, "counter", "", labels, value);
    }

    /// Adds a sample of a gauge.
    pub fn gauge(&mut self, name: &'static str, help: &'static str, labels: &[Label<'_>], value: f64) {
        self.sample(name, help, "gauge", "", labels, value);
    }

    /// Adds a summary. Each quantile is a part and its value.
    pub fn summary(
        &mut self,
        name: &'static str,
        help: &'static str,
        labels: &[Label<'_>],
        quantiles: &[(&str, f64)],
        (sum, count): (f64, u64),
    ) {
        for (part, value) in quantiles {
            let labels = [labels, &[("quantile", *part)]].concat();
            self.sample(name, help, "summary", "", &labels, *value);
        }
        self.sample(name, help, "summary", "_sum", labels, sum);
        self.sample(name, help, "summary", "_count", labels, count as f64);
    }

    /// Adds a histogram. Each bucket is an upper bound and the number of values up to it.
    pub fn histogram(
        &mut self,
        name: &'static str,
        help: &'static str,
        buckets: impl Iterator<Item = (f64, u64)>,
        (sum, count): (f64, u64),
    ) {
        for (bound, number) in buckets {
            self.sample(name, help, "histogram", "_bucket", &[("le", &bound.to_string())], number as f64);
        }
        self.sample(name, help, "histogram", "_bucket", &[("le", "+Inf")], count as f64);
        self.sample(name, help, "histogram", "_sum", &[], sum);
        self.sample(name, help, "histogram", "_count", &[], count as f64);
    }

    /// Returns the text. All samples of a family stand together.
    pub fn finish(self) -> String {
        let mut text = String::new();
        for Family { name, help, kind, samples } in self.families {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{samples}");
        }
        text
    }

    fn sample(
        &mut self,
        name: &'static str,
        help: &'static str,
        kind: &'static str,
        suffix: &str,
        labels: &[Label<'_>],
        value: f64,
    ) {
        let known = self.families.iter().position(|family| family.name == name);
        let index = known.unwrap_or_else(|| {
            self.families.push(Family { name, help, kind, samples: String::new() });
            self.families.len() - 1
        });
        let samples = &mut self.families[index].samples;
        let _ = write!(samples, "{name}{suffix}");
        for (number, (label, value)) in labels.iter().enumerate() {
            let _ = write!(samples, "{}{label}=\"{}\"", if number == 0 { '{' } else { ',' }, escaped(value));
        }
        let _ = writeln!(samples, "{} {value}", if labels.is_empty() { "" } else { "}" });
    }
}

/// Returns the value of a label as the format wants it.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
