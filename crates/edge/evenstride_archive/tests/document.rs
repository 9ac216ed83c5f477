//! `docs/archives.md` lists the tables as they are.

use std::{fs, path::Path};

#[test]
fn the_guide_has_every_column() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/archives.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once("<!-- tables -->\n\n").unwrap();
    let (listed, _) = rest.split_once("<!-- /tables -->").unwrap();
    let ours = evenstride_archive::schema_document();
    assert!(
        listed == ours,
        "replace the tables by the output of the example `schema` of `evenstride_archive`"
    );
}
