//! Checks the sizes of all pages before anything is unpacked.
//!
//! A page tells how large it is, and a reader believes it. A file of a few kilobytes could therefore claim
//! any amount of memory.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
};

use flate2::read::MultiGzDecoder;
use parquet::{basic::Compression, file::metadata::ParquetMetaData};

use super::compact::{Compact, INT32, LIST, STRUCT, invalid};
use crate::error::TableError;

/// Largest metadata in bytes. Real files have kilobytes of it for each row group.
const MAX_METADATA: u64 = 16 << 20;

/// Largest page in bytes, unpacked. Writers make pages of about 1 MB.
const MAX_PAGE: u64 = 64 << 20;

/// Largest header of a page in bytes, with its statistics.
const MAX_HEADER: u64 = 1 << 20;

/// Deepest nesting of columns, and most of them. The reader goes as deep as a file says.
const MAX_NESTING: usize = 32;
const MAX_COLUMNS: u64 = 20_000;

/// Checks the metadata, which stands in the last bytes of a file, for its size and the nesting of columns.
pub(super) fn check_metadata(file: &File) -> Result<(), TableError> {
    let (mut file, mut end) = (file, [0; 8]);
    if file.seek(SeekFrom::End(-8)).is_err() {
        return Err(damaged());
    }
    file.read_exact(&mut end)?;
    let size = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
    if &end[4..] != b"PAR1" {
        return Err(TableError::Parquet("not a Parquet file".to_owned()));
    }
    if size > MAX_METADATA {
        return Err(TableError::TooLarge { what: "metadata", found: size, limit: MAX_METADATA });
    }
    let start = file.stream_position()?.checked_sub(8 + size).ok_or_else(damaged)?;
    file.seek(SeekFrom::Start(start))?;
    check_columns(&mut Compact(BufReader::new(file.take(size)))).map_err(|_| damaged())
}

/// Checks that columns are not nested too deep.
fn check_columns(metadata: &mut Compact<impl Read>) -> io::Result<()> {
    let mut field = 0;
    while let Some(kind) = metadata.next_field(&mut field)? {
        if (field, kind) != (2, LIST) {
            metadata.skip(kind, 0)?;
            continue;
        }
        let (kind, count) = metadata.list()?;
        if kind != STRUCT || count > MAX_COLUMNS {
            return Err(invalid());
        }
        // How many columns are still to come, in each of the groups that are open.
        let mut open: Vec<i64> = Vec::new();
        for _ in 0..count {
            let (mut field, mut children) = (0, 0);
            while let Some(kind) = metadata.next_field(&mut field)? {
                match (field, kind) {
                    (5, INT32) => children = metadata.integer()?,
                    _ => metadata.skip(kind, 0)?,
                }
            }
            if let Some(left) = open.last_mut() {
                *left -= 1;
            }
            if children > 0 {
                open.push(children);
            }
            if open.len() > MAX_NESTING {
                return Err(invalid());
            }
            while open.last().is_some_and(|left| *left <= 0) {
                open.pop();
            }
        }
    }
    Ok(())
}

/// Checks all pages of some columns.
pub(super) fn check(file: &File, metadata: &ParquetMetaData, names: &[String]) -> Result<(), TableError> {
    // Each byte belongs to one column, or a small file could take any time.
    let mut room = file.metadata()?.len();
    for chunk in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let is_read = |name: &String| chunk.column_path().parts() == std::slice::from_ref(name);
        if !names.iter().any(is_read) {
            continue;
        }
        let codec = chunk.compression();
        if !matches!(
            codec,
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) | Compression::LZ4_RAW
        ) {
            return Err(TableError::Parquet(format!(
                "compressed by {codec:?}, which this program cannot read; write it with Snappy or Gzip"
            )));
        }
        let (start, length) = chunk.byte_range();
        room = room.checked_sub(length).ok_or_else(damaged)?;
        let mut source = BufReader::new(file.try_clone()?);
        source.seek(SeekFrom::Start(start))?;
        check_pages(source.take(length), codec)?;
    }
    Ok(())
}

fn check_pages(mut chunk: io::Take<impl Read>, codec: Compression) -> Result<(), TableError> {
    while chunk.limit() > 0 {
        let before = chunk.limit();
        let (unpacked, packed) = sizes(&mut Compact(&mut chunk)).map_err(|_| damaged())?;
        if before - chunk.limit() > MAX_HEADER || packed > chunk.limit() {
            return Err(damaged());
        }
        if unpacked > MAX_PAGE {
            return Err(TableError::TooLarge { what: "page", found: unpacked, limit: MAX_PAGE });
        }
        let mut page = chunk.by_ref().take(packed);
        if matches!(codec, Compression::GZIP(_)) {
            // Gzip unpacks until its end, whatever the header says. Levels of a newer page are not packed.
            let mut bytes = Vec::new();
            page.read_to_end(&mut bytes)?;
            let unpacks_to = |from: usize| {
                let decoder = MultiGzDecoder::new(bytes.get(from..).unwrap_or_default());
                io::copy(&mut decoder.take(unpacked + 1), &mut io::sink()).unwrap_or(0)
            };
            let start = bytes.windows(2).position(|pair| pair == [0x1F, 0x8B]).unwrap_or(0);
            if unpacks_to(0) > unpacked || unpacks_to(start) > unpacked {
                return Err(damaged());
            }
        } else {
            io::copy(&mut page, &mut io::sink())?;
        }
    }
    Ok(())
}

/// Reads the header of a page, and returns the sizes of the page, unpacked and packed.
fn sizes(header: &mut Compact<impl Read>) -> io::Result<(u64, u64)> {
    let (mut field, mut unpacked, mut packed) = (0_i64, None, None);
    while let Some(kind) = header.next_field(&mut field)? {
        match (field, kind) {
            (2, INT32) => unpacked = Some(header.integer()?),
            (3, INT32) => packed = Some(header.integer()?),
            _ => header.skip(kind, 0)?,
        }
    }
    let size = |size: Option<i64>| size.and_then(|size| u64::try_from(size).ok()).ok_or_else(invalid);
    Ok((size(unpacked)?, size(packed)?))
}

fn damaged() -> TableError {
    TableError::Parquet("the file is damaged".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::{
        basic::GzipLevel,
        data_type::Int32Type,
        file::{properties::WriterProperties, writer::SerializedFileWriter},
        schema::parser::parse_message_type,
    };

    use super::*;
    use crate::ForeignRows;

    /// A page of 100 MB that takes a few kilobytes in the file.
    #[test]
    fn a_page_that_unpacks_to_too_much_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bomb.parquet");
        for codec in [Compression::GZIP(GzipLevel::default()), Compression::SNAPPY, Compression::LZ4_RAW] {
            let schema = Arc::new(parse_message_type("message bomb { required int32 x; }").unwrap());
            let properties = WriterProperties::builder()
                .set_compression(codec)
                .set_dictionary_enabled(false)
                .set_data_page_size_limit(1 << 30)
                .set_write_batch_size(1 << 30)
                .set_data_page_row_count_limit(1 << 30)
                .build();
            let file = File::create(&path).unwrap();
            let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
            let mut group = writer.next_row_group().unwrap();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int32Type>().write_batch(&vec![0; 25_000_000], None, None).unwrap();
            column.close().unwrap();
            group.close().unwrap();
            writer.close().unwrap();
            let refused = ForeignRows::open(&path, &|_| true, u64::MAX).unwrap_err();
            assert!(matches!(refused, TableError::TooLarge { what: "page", .. }), "{codec:?}: {refused}");
        }
    }

    /// The reader would call itself once for each level.
    #[test]
    fn columns_that_are_nested_too_deep_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep.parquet");
        let file = |levels: usize| {
            // Version 1, then a list of columns. Each has a name and one child, but for the last.
            let mut metadata = vec![0x15, 2, 0x19, 0xFC];
            let mut count = levels as u64;
            while count > 0x7F {
                metadata.push(count as u8 | 0x80);
                count >>= 7;
            }
            metadata.push(count as u8);
            for level in 0..levels {
                let children = if level + 1 < levels { 2 } else { 0 };
                metadata.extend([0x35, 0, 0x18, 1, b'x', 0x15, children, 0]);
            }
            metadata.extend([0x16, 0, 0x19, 0x0C, 0]);
            let mut bytes = b"PAR1".to_vec();
            bytes.extend(&metadata);
            bytes.extend((metadata.len() as u32).to_le_bytes());
            bytes.extend(b"PAR1");
            std::fs::write(&path, bytes).unwrap();
            ForeignRows::open(&path, &|_| true, 10).unwrap_err().to_string()
        };
        assert!(file(3).contains("no column is known"), "{}", file(3));
        for levels in [MAX_NESTING + 2, 15_000, 1_000_000] {
            assert_eq!(file(levels), "Parquet: the file is damaged", "{levels}");
        }
    }

    #[test]
    fn headers_that_never_end_are_refused() {
        // A list of lists of lists, and a number of too many bytes.
        for bytes in
            [vec![0x19; 4_000], vec![0x15, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]
        {
            let length = bytes.len() as u64;
            assert!(check_pages(io::Cursor::new(bytes).take(length), Compression::SNAPPY).is_err());
        }
    }

    /// The header tells ten bytes, and Gzip has a million.
    #[test]
    fn gzip_that_unpacks_to_more_than_its_header_tells_is_refused() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        io::Write::write_all(&mut packed, &vec![0; 1_000_000]).unwrap();
        let packed = packed.finish().unwrap();
        // Fields 1 to 3 of the header: the type, and both sizes, zigzag.
        let mut page = vec![0x15, 0x00, 0x15, 20, 0x15];
        let mut size = packed.len() as u64 * 2;
        while size > 0x7F {
            page.push(size as u8 | 0x80);
            size >>= 7;
        }
        page.extend([size as u8, 0]);
        page.extend(&packed);
        let length = page.len() as u64;
        let check = |codec| check_pages(io::Cursor::new(page.clone()).take(length), codec);
        assert!(check(Compression::GZIP(GzipLevel::default())).is_err());
        assert!(check(Compression::SNAPPY).is_ok());
    }
}
