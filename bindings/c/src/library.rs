//! Motion tables and animations, from an archive or from records that the host reads.

use std::{
    ffi::{c_char, c_void},
    fs::File,
    path::Path,
    sync::Arc,
};

use evenstride::animation::MotionLibrary;
use evenstride_dat::{Archive, LibraryLoader, Loaded, RecordCallback, RecordId};

use crate::{
    guard::{Guarded, call, release},
    pointers::{In, Out, text, utf8},
    status::{Done, EvStatus, Fault},
};

/// Motion tables, animations and models. Any number of worlds share one library.
#[derive(Debug)]
pub struct EvLibrary(pub(crate) Guarded<Arc<MotionLibrary>>);

/// Numbers about a loaded library.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvLoaded {
    /// Motion tables that were loaded.
    pub tables: u32,
    /// Models that were loaded.
    pub models: u32,
    /// Animations that were loaded.
    pub animations: u32,
    /// Records that are missing. Built-in tables take the place of tables.
    pub missing: u32,
    /// Records that could not be read, and are left out. `ev_last_error` has the first reason.
    pub faults: u32,
    /// Not used, 0.
    pub reserved: u32,
    /// Bytes of the records.
    pub bytes: u64,
}

/// Requests a record of the host's own archive. It is called again with a larger buffer if the answer
/// exceeds `capacity`.
///
/// Returns the size of the record in bytes and copies them if they fit, 0 if the record is missing, and
/// a negative number if it cannot be read.
pub type EvRecordCallback =
    Option<unsafe extern "C-unwind" fn(user: *mut c_void, id: u32, bytes: *mut u8, capacity: usize) -> i64>;

/// Makes the built-in library, which new worlds have anyway.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_library_built_in(library: *mut *mut EvLibrary) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let out = unsafe { Out::new(library) };
    call(|| {
        out.check("library")?;
        give(&out, Arc::new(MotionLibrary::built_in()));
        Ok(())
    })
}

/// Reads all motion tables and models of an archive, such as `client_portal.dat`. `loaded` may be null.
///
/// Unreadable records are left out and counted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_library_open(
    path: *const c_char,
    library: *mut *mut EvLibrary,
    loaded: *mut EvLoaded,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (path, out, loaded) = unsafe { (text(path), Out::new(library), Out::new(loaded)) };
    call(|| {
        out.check("library")?;
        let path = Path::new(utf8("path", path)?);
        let unreadable = |why: String| Fault::new(EvStatus::BadLibrary, format!("{}: {why}", path.display()));
        let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
        let archive = Archive::open(file).map_err(|error| unreadable(error.to_string()))?;
        let mut loader = LibraryLoader::new(&archive, MotionLibrary::built_in());
        loader.everything();
        finish(loader.finish(), &out, &loaded)
    })
}

/// Loads motion tables (0x09……) and models (0x02……) by number, with the animations that they name. The
/// callback provides the bytes of the portal records. `loaded` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_library_from_records(
    ids: *const u32,
    count: usize,
    record: EvRecordCallback,
    user: *mut c_void,
    library: *mut *mut EvLibrary,
    loaded: *mut EvLoaded,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (ids, out, loaded) = unsafe { (In::many(ids, count), Out::new(library), Out::new(loaded)) };
    call(|| {
        out.check("library")?;
        let ids = ids.all("ids")?;
        let record = record.ok_or_else(|| Fault::null("record"))?;
        let records = RecordCallback::new(|id: RecordId| {
            let mut bytes = vec![0; FIRST_ROOM];
            for _ in 0..2 {
                // SAFETY: the buffer has this capacity, and the callback keeps the contract of its type.
                let size = unsafe { record(user, id.0, bytes.as_mut_ptr(), bytes.len()) };
                match usize::try_from(size) {
                    Err(_) => return Err(format!("the callback returned {size}")),
                    Ok(0) => return Ok(None),
                    Ok(size) if size <= bytes.len() => {
                        bytes.truncate(size);
                        return Ok(Some(bytes));
                    }
                    Ok(size) if size > MAX_RECORD_BYTES => {
                        return Err(format!("{size} bytes are more than {MAX_RECORD_BYTES}"));
                    }
                    Ok(size) => bytes.resize(size, 0),
                }
            }
            Err("the callback returned two sizes for one record".to_owned())
        });
        let mut loader = LibraryLoader::new(&records, MotionLibrary::built_in());
        for id in ids {
            loader.setup(RecordId(*id));
            if id >> 24 == MOTION_TABLE {
                loader.table(RecordId(*id));
            }
        }
        finish(loader.finish(), &out, &loaded)
    })
}

/// Releases a library. Worlds that use it keep it. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_library_free(library: *mut EvLibrary) -> EvStatus {
    // SAFETY: the caller gives up a handle of this file.
    unsafe { release(library, |library| &library.0) }
}

fn finish(loaded: Loaded, out: &Out<*mut EvLibrary>, numbers: &Out<EvLoaded>) -> Done {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    numbers.set(EvLoaded {
        tables: count(loaded.tables.len()),
        models: count(loaded.models.len()),
        animations: count(loaded.animations),
        missing: count(loaded.missing.len() + loaded.missing_animations.len()),
        faults: count(loaded.faults.len()),
        reserved: 0,
        bytes: loaded.bytes as u64,
    });
    if let Some(first) = loaded.faults.first() {
        let _ = crate::status::report(&Fault::new(EvStatus::BadLibrary, first.to_string()));
    }
    give(out, Arc::new(loaded.library));
    Ok(())
}

fn give(out: &Out<*mut EvLibrary>, library: Arc<MotionLibrary>) {
    out.set(Box::into_raw(Box::new(EvLibrary(Guarded::new(library)))));
}

/// First byte of the number of a motion table.
const MOTION_TABLE: u32 = 0x09;

/// Room for a record at the first call. Most records fit.
const FIRST_ROOM: usize = 64 << 10;

/// Largest size of a record in bytes.
const MAX_RECORD_BYTES: usize = 64 << 20;
