//! Prints all tables and columns as Markdown, for `docs/archives.md`.

fn main() {
    print!("{}", evenstride_archive::schema_document());
}
