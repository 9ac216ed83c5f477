//! Sources of record bytes, which are an archive or the host program.

use std::cell::RefCell;

use crate::{Archive, Contents, DatError, ReadAt, RecordId, RecordKind};

/// Provides the bytes of records by number.
pub trait RecordSource {
    /// Returns the kind of a record, by its number.
    fn kind_of(&self, id: RecordId) -> RecordKind;

    /// Returns the bytes of a record, or `None` if it has more than `max_bytes`.
    ///
    /// # Errors
    /// [`DatError::NotFound`] if the record is missing, and other errors if it is unreadable.
    fn record(&self, id: RecordId, max_bytes: usize) -> Result<Option<Vec<u8>>, DatError>;
}

impl<Source: ReadAt> RecordSource for Archive<Source> {
    fn kind_of(&self, id: RecordId) -> RecordKind {
        Self::kind_of(self, id)
    }

    fn record(&self, id: RecordId, max_bytes: usize) -> Result<Option<Vec<u8>>, DatError> {
        let entry = self.find(id)?.ok_or(DatError::NotFound { id })?;
        // The stored size is compared. Records of an undamaged archive do not overlap, so together
        // they are no longer than the file.
        if entry.size as usize > max_bytes { Ok(None) } else { self.bytes(&entry).map(Some) }
    }
}

/// Requests the bytes of portal records from the host program.
///
/// ```
/// use evenstride::animation::MotionLibrary;
/// use evenstride_dat::{LibraryLoader, MotionTable, Record, RecordCallback, RecordId};
///
/// let table = MotionTable {
///     id: RecordId(0x0900_0001), default_style: 0, style_defaults: vec![], cycles: vec![], modifiers: vec![], links: vec![],
/// };
/// let bytes = table.to_bytes()?;
/// // The host returns the bytes, `None` if the record is missing, or its own error.
/// let records = RecordCallback::new(|id| match id {
///     RecordId(0x0900_0001) => Ok(Some(bytes.clone())),
///     RecordId(0x0900_0002) => Err("the download failed".to_owned()),
///     _ => Ok(None),
/// });
/// let mut loader = LibraryLoader::new(&records, MotionLibrary::built_in());
/// for id in [0x0900_0001, 0x0900_0002, 0x0900_0003] {
///     loader.table(RecordId(id));
/// }
/// let loaded = loader.finish();
/// assert!(loaded.tables.contains(&RecordId(0x0900_0001)));
/// assert_eq!(loaded.faults[0].to_string(), "0x09000002: the host did not provide the record: the download failed");
/// assert!(loaded.missing.contains(&RecordId(0x0900_0003)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Bytes of another record, damaged bytes and records beyond the loader's limit become faults, as
/// with a damaged archive.
pub struct RecordCallback<F>(RefCell<F>);

impl<F: FnMut(RecordId) -> Result<Option<Vec<u8>>, String>> RecordCallback<F> {
    /// Creates a source from a function. A [`LibraryLoader`](crate::LibraryLoader) calls it at most
    /// once per record.
    pub const fn new(give: F) -> Self {
        Self(RefCell::new(give))
    }
}

impl<F: FnMut(RecordId) -> Result<Option<Vec<u8>>, String>> RecordSource for RecordCallback<F> {
    fn kind_of(&self, id: RecordId) -> RecordKind {
        RecordKind::of(id, Contents::Portal)
    }

    fn record(&self, id: RecordId, max_bytes: usize) -> Result<Option<Vec<u8>>, DatError> {
        let refused = |what| DatError::Host { id, what };
        // The function must not request another record before it returns.
        let mut give = self
            .0
            .try_borrow_mut()
            .map_err(|_| refused("the callback requested another record before it returned".to_owned()))?;
        match give(id).map_err(refused)? {
            None => Err(DatError::NotFound { id }),
            Some(bytes) => Ok((bytes.len() <= max_bytes).then_some(bytes)),
        }
    }
}

impl<F> std::fmt::Debug for RecordCallback<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RecordCallback")
    }
}
