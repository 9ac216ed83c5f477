//! Tables that fit the terminal.

use std::io;

use super::{
    TextOut, Tone, one_line,
    width::{columns, cut, wrap},
};

/// A table, with headings unless all of them are empty. Its columns are as wide as their cells, or wider.
#[derive(Debug, Default)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    heading: String,
    unit: String,
    is_number: bool,
    least_width: usize,
    gap: usize,
    rank: u8,
}

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    text: String,
    tone: Tone,
    mark: Option<char>,
}

impl Column {
    /// Returns a column of names, aligned to the left.
    pub(crate) fn text(heading: impl Into<String>) -> Self {
        Self {
            heading: heading.into(),
            unit: String::new(),
            is_number: false,
            least_width: 0,
            gap: 2,
            rank: 0,
        }
    }

    /// Returns a column of numbers, aligned to the right.
    pub(crate) fn number(heading: impl Into<String>) -> Self {
        Self { is_number: true, ..Self::text(heading) }
    }

    /// Sets the unit, which stands in a line below the headings.
    #[must_use]
    pub(crate) fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// Sets the rank (default: 0). On a narrow terminal the columns of the highest rank are left
    /// out first, and those of rank 0 never.
    #[must_use]
    pub(crate) const fn rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// Sets the least width in columns of the terminal (default: 0).
    #[must_use]
    pub(crate) const fn at_least(mut self, width: usize) -> Self {
        self.least_width = width;
        self
    }

    /// Sets the number of spaces before the column (default: 2).
    #[must_use]
    pub(crate) const fn gap(mut self, spaces: usize) -> Self {
        self.gap = spaces;
        self
    }
}

impl Cell {
    /// Returns the best value of its column, in the tone of success and with an asterisk.
    pub(crate) fn best(text: impl Into<String>) -> Self {
        Self { text: text.into(), tone: Tone::Good, mark: Some('*') }
    }

    /// Sets the tone (default: plain).
    #[must_use]
    pub(crate) const fn tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

impl Table {
    /// Returns a table without rows.
    pub(crate) fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row, with one cell for each column. Control characters in cells are spelled out.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let clean = |cell: Cell| Cell { text: one_line(&cell.text).into_owned(), ..cell };
        self.rows.push(cells.into_iter().map(clean).collect());
    }

    /// Prints the table, in at most `width` columns of the terminal. If columns are left out, a last
    /// line names them and tells how to see them, which is `instead`.
    pub(crate) fn write(&self, out: &mut TextOut, width: Option<usize>, instead: &str) -> io::Result<()> {
        let shown = self.shown(width);
        for line in self.lines(&shown, width) {
            line.into_iter().try_for_each(|(tone, text)| out.paint(tone, &text))?;
            out.paint(Tone::Plain, "\n")?;
        }
        let left_out: Vec<&str> = (0..self.columns.len())
            .filter(|index| !shown.contains(index))
            .map(|index| self.columns[index].heading.trim())
            .collect();
        if !left_out.is_empty() {
            let words = format!("left out for lack of width: {}; {instead}", left_out.join(", "));
            out.paragraph(Tone::Dim, &words, width, 2)?;
        }
        Ok(())
    }

    /// Returns the whole table as plain text.
    pub(crate) fn to_text(&self) -> String {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let line =
            |parts: Vec<(Tone, String)>| parts.into_iter().map(|(_, text)| text).collect::<String>() + "\n";
        self.lines(&all, None).map(line).collect()
    }

    /// Returns the columns that fit, by index.
    fn shown(&self, width: Option<usize>) -> Vec<usize> {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        let Some(width) = width else { return shown };
        let widths: Vec<usize> = shown.iter().map(|index| self.width_of(*index)).collect();
        while self.total(&shown, &widths) > width {
            let least = shown.iter().copied().filter(|index| self.columns[*index].rank > 0);
            let Some(least) = least.max_by_key(|index| self.columns[*index].rank) else { break };
            shown.retain(|index| *index != least);
        }
        shown
    }

    fn total(&self, shown: &[usize], widths: &[usize]) -> usize {
        let total: usize = shown.iter().map(|index| self.columns[*index].gap + widths[*index]).sum();
        total - shown.first().map_or(0, |first| self.columns[*first].gap)
    }

    /// Returns the width of a column, with the place of its marks.
    fn width_of(&self, index: usize) -> usize {
        let column = &self.columns[index];
        let cells = self.rows.iter().filter_map(|row| row.get(index)).map(|cell| columns(&cell.text));
        let widest = cells.chain([columns(&column.heading), columns(&column.unit)]).max().unwrap_or(0);
        widest.max(column.least_width) + usize::from(self.has_marks(index))
    }

    fn has_marks(&self, index: usize) -> bool {
        self.rows.iter().filter_map(|row| row.get(index)).any(|cell| cell.mark.is_some())
    }

    /// Returns headings, units and rows as parts of lines, one after the other.
    fn lines<'a>(
        &'a self,
        shown: &'a [usize],
        width: Option<usize>,
    ) -> impl Iterator<Item = Vec<(Tone, String)>> + 'a {
        let widths: Vec<(usize, bool)> =
            shown.iter().map(|index| (self.width_of(*index), self.has_marks(*index))).collect();
        let heading = |text: fn(&Column) -> &String, tone: Tone| -> Option<Vec<Cell>> {
            let cells = self.columns.iter().map(|column| Cell::from(text(column).as_str()).tone(tone));
            self.columns.iter().any(|column| !text(column).is_empty()).then(|| cells.collect())
        };
        let headings = heading(|column| &column.heading, Tone::Heading)
            .into_iter()
            .chain(heading(|column| &column.unit, Tone::Dim));
        let headings: Vec<Vec<(Tone, String)>> =
            headings.map(|row| self.line(&row, shown, &widths, width)).collect();
        headings.into_iter().chain(self.rows.iter().map(move |row| self.line(row, shown, &widths, width)))
    }

    /// Returns a row as parts of a line. `widths` has the width of each shown column, and whether it
    /// has marks.
    fn line(
        &self,
        row: &[Cell],
        shown: &[usize],
        widths: &[(usize, bool)],
        width: Option<usize>,
    ) -> Vec<(Tone, String)> {
        let mut parts: Vec<(Tone, String)> = Vec::new();
        let mut used = 0;
        for (place, (index, (wide, has_marks))) in shown.iter().zip(widths).enumerate() {
            let column = &self.columns[*index];
            let cell = row.get(*index).cloned().unwrap_or_default();
            let gap = if place == 0 { 0 } else { column.gap };
            // Only the last column may be foreign text of any length.
            let room = width.map_or(usize::MAX, |width| width.saturating_sub(used + gap).max(1));
            let text = if place + 1 == shown.len() { cut(&cell.text, room) } else { cell.text };
            let marks = usize::from(*has_marks);
            let space = wide.saturating_sub(marks + columns(&text));
            let [before, after] = if column.is_number { [space, 0] } else { [0, space] };
            parts.push((Tone::Plain, " ".repeat(gap + before)));
            parts.push((cell.tone, text + &cell.mark.map_or_else(String::new, String::from)));
            let unmarked = marks - usize::from(cell.mark.is_some()).min(marks);
            parts.push((Tone::Plain, " ".repeat(after + unmarked)));
            used += gap + wide;
        }
        trimmed(parts)
    }
}

/// Removes spaces at the end of a line, and parts without text.
fn trimmed(mut parts: Vec<(Tone, String)>) -> Vec<(Tone, String)> {
    while let Some((_, last)) = parts.last_mut() {
        last.truncate(last.trim_end_matches(' ').len());
        if !last.is_empty() {
            break;
        }
        parts.pop();
    }
    parts.retain(|(_, text)| !text.is_empty());
    parts
}

impl TextOut {
    /// Prints a paragraph in a tone, in at most `width` columns. Lines after the first are indented.
    pub(crate) fn paragraph(
        &mut self,
        tone: Tone,
        words: &str,
        width: Option<usize>,
        indent: usize,
    ) -> io::Result<()> {
        for line in wrap(words, width, indent) {
            self.paint(tone, &line)?;
            self.paint(Tone::Plain, "\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new([
            Column::text("method"),
            Column::number("pops").rank(1),
            Column::number("jerk").unit("m/s3").rank(2),
            Column::text("remark").rank(3),
        ]);
        table.row([Cell::from("glide"), Cell::best("0"), "57".into(), "ours".into()]);
        table.row([Cell::from("retail"), "1,281".into(), "1223".into(), "".into()]);
        table
    }

    #[test]
    fn numbers_end_below_each_other_and_marks_stand_beside_them() {
        assert_eq!(
            table().to_text(),
            "method   pops   jerk  remark\n                m/s3\nglide       0*    57  ours\nretail  1,281   1223\n"
        );
    }

    #[test]
    fn columns_of_the_highest_rank_are_left_out_first() {
        let table = table();
        assert_eq!(table.shown(Some(28)), [0, 1, 2, 3]);
        assert_eq!(table.shown(Some(27)), [0, 1, 2]);
        assert_eq!(table.shown(Some(14)), [0, 1]);
        assert_eq!(table.shown(Some(4)), [0]);
    }
}
