//! Styles with a meaning, and the choice of streams that show them.

use anstream::{AutoStream, stream::RawStream};
use anstyle::{AnsiColor, Style};

/// The meaning of a styled part of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Text without a style.
    #[default]
    Plain,
    /// Title of a section, or heading of a column.
    Heading,
    /// The best value, or a success.
    Good,
    /// A failure.
    Bad,
    /// Text that readers may skip, like a legend.
    Dim,
    /// A message from the server.
    Incoming,
    /// A message from the client.
    Outgoing,
}

impl Tone {
    /// Returns the style of a terminal for this meaning.
    pub(crate) fn style(self) -> Style {
        let coloured = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        match self {
            Self::Plain => Style::new(),
            Self::Heading => Style::new().bold(),
            Self::Good => coloured(AnsiColor::Green).bold(),
            Self::Bad => coloured(AnsiColor::Red).bold(),
            Self::Dim => Style::new().dimmed(),
            Self::Incoming => coloured(AnsiColor::Cyan),
            Self::Outgoing => coloured(AnsiColor::Yellow),
        }
    }
}

/// Sets the choice of `--color` for all streams. Called once, before any output.
pub(crate) fn choose(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Returns whether a stream shows styles, by `--color`, `NO_COLOR`, `CLICOLOR_FORCE` and the
/// terminal.
pub(crate) fn is_coloured(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != anstream::ColorChoice::Never
}
