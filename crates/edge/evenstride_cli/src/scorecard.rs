//! Scorecards on a terminal, for `score` and `demo`.

use std::io::{self, Write};

use evenstride_arena::{CardPart, Scorecard};

use crate::output::{Cell, Column, Table, TextOut, Tone};

/// Prints a scorecard in at most `width` columns of the terminal.
pub(crate) fn write(card: &Scorecard, out: &mut TextOut, width: Option<usize>) -> io::Result<()> {
    for part in &card.parts {
        table(part).write(out, width, "`evenstride score --json` has all numbers")?;
        writeln!(out)?;
    }
    let (legend, notes) = card.notes.split_last().map_or(("", &[][..]), |(last, rest)| (last.as_str(), rest));
    notes.iter().try_for_each(|note| out.paragraph(Tone::Plain, note, width, 2))?;
    out.paragraph(Tone::Dim, legend, width, 2)
}

fn table(part: &CardPart) -> Table {
    let columns = part.columns.iter().map(|of| Column::number(of.heading).unit(of.unit).rank(of.rank).gap(1));
    let mut table = Table::new(std::iter::once(Column::text(part.title)).chain(columns));
    for row in &part.rows {
        let cells = row.cells.iter().map(|cell| match cell.is_best {
            true => Cell::best(cell.text.as_str()),
            false => Cell::from(cell.text.as_str()),
        });
        table.row(std::iter::once(Cell::from(row.name.as_str())).chain(cells));
    }
    table
}
