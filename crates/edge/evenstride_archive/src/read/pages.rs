//! Checks the sizes of all pages before anything is unpacked.
//!
//! A page tells how large it is, and a reader believes it. A file of a few kilobytes could therefore claim
//! any amount of memory. Headers of pages are in Thrift's compact protocol.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
};

use flate2::read::MultiGzDecoder;
use parquet::{basic::Compression, file::metadata::ParquetMetaData};

use crate::error::TableError;

/// Largest page in bytes, unpacked. Writers make pages of about 1 MB.
const MAX_PAGE: u64 = 64 << 20;

/// Largest header of a page in bytes, with its statistics.
const MAX_HEADER: u64 = 1 << 20;

/// Deepest nesting of a header.
const MAX_DEPTH: u32 = 16;

/// Checks the size of the metadata, which stands in the last bytes of a file.
pub(super) fn check_metadata_size(file: &File, limit: u64) -> Result<(), TableError> {
    let (mut file, mut end) = (file, [0; 8]);
    if file.seek(SeekFrom::End(-8)).is_err() {
        return Err(damaged());
    }
    file.read_exact(&mut end)?;
    let size = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
    if &end[4..] != b"PAR1" {
        return Err(TableError::Parquet("not a Parquet file".to_owned()));
    }
    if size > limit {
        return Err(TableError::TooLarge { what: "metadata", found: size, limit });
    }
    Ok(())
}

/// Checks all pages of some columns.
pub(super) fn check(file: &File, metadata: &ParquetMetaData, names: &[String]) -> Result<(), TableError> {
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
        let mut source = BufReader::new(file.try_clone()?);
        source.seek(SeekFrom::Start(start))?;
        check_pages(source.take(length), codec)?;
    }
    Ok(())
}

fn check_pages(mut chunk: io::Take<impl Read>, codec: Compression) -> Result<(), TableError> {
    while chunk.limit() > 0 {
        let before = chunk.limit();
        let mut header = Header(&mut chunk);
        let (unpacked, packed) = header.sizes().map_err(|_| damaged())?;
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

/// A header of a page.
struct Header<R>(R);

impl<R: Read> Header<R> {
    /// Reads a header, and returns the sizes of the page, unpacked and packed.
    fn sizes(&mut self) -> io::Result<(u64, u64)> {
        let (mut field, mut unpacked, mut packed) = (0_i64, None, None);
        while let Some(kind) = self.next_field(&mut field)? {
            match (field, kind) {
                (2, INT32) => unpacked = Some(self.integer()?),
                (3, INT32) => packed = Some(self.integer()?),
                _ => self.skip(kind, 0)?,
            }
        }
        let size = |size: Option<i64>| size.and_then(|size| u64::try_from(size).ok()).ok_or_else(invalid);
        Ok((size(unpacked)?, size(packed)?))
    }

    /// Returns the type of the next field and sets its number. `None` ends a struct.
    fn next_field(&mut self, field: &mut i64) -> io::Result<Option<u8>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        *field = match byte >> 4 {
            0 => self.integer()?,
            delta => field.wrapping_add(i64::from(delta)),
        };
        Ok(Some(byte & 0xF))
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.0.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn unsigned(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(invalid())
    }

    /// Reads a signed number, whose lowest bit is the sign.
    fn integer(&mut self) -> io::Result<i64> {
        let value = self.unsigned()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn skip(&mut self, kind: u8, depth: u32) -> io::Result<()> {
        if depth > MAX_DEPTH {
            return Err(invalid());
        }
        match kind {
            TRUE | FALSE => {}
            BYTE => drop(self.byte()?),
            INT16..=INT64 => drop(self.unsigned()?),
            DOUBLE => self.pass(8)?,
            BYTES => {
                let length = self.unsigned()?;
                self.pass(length)?;
            }
            LIST | SET => {
                let byte = self.byte()?;
                let count = if byte >> 4 == 15 { self.unsigned()? } else { u64::from(byte >> 4) };
                for _ in 0..count.min(MAX_HEADER) {
                    // A list of flags has a byte for each.
                    let kind = if matches!(byte & 0xF, TRUE | FALSE) { BYTE } else { byte & 0xF };
                    self.skip(kind, depth + 1)?;
                }
            }
            STRUCT => {
                let mut field = 0;
                while let Some(kind) = self.next_field(&mut field)? {
                    self.skip(kind, depth + 1)?;
                }
            }
            _ => return Err(invalid()),
        }
        Ok(())
    }

    fn pass(&mut self, length: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.0.by_ref().take(length.min(MAX_HEADER)), &mut io::sink())?;
        if passed == length { Ok(()) } else { Err(invalid()) }
    }
}

/// Types of the compact protocol.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const INT16: u8 = 4;
const INT32: u8 = 5;
const INT64: u8 = 6;
const DOUBLE: u8 = 7;
const BYTES: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

fn damaged() -> TableError {
    TableError::Parquet("the file is damaged".to_owned())
}

fn invalid() -> io::Error {
    io::ErrorKind::InvalidData.into()
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
