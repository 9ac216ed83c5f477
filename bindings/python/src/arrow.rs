//! Batches through the Arrow C data interface, without a copy of numbers.
//!
//! The interface is three structs with a function that releases each. Its text is at
//! <https://arrow.apache.org/docs/format/CDataInterface.html>. A stream hands out at most [`CHUNK_ROWS`] rows at
//! once. All unsafe code of this crate is in this file.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
    sync::Arc,
};

use evenstride_archive::{Batch, Column, ColumnKind, Values};

/// Most rows of a chunk. The texts of a chunk must fit into 2 GB.
const CHUNK_ROWS: usize = 1 << 18;

/// Number of an error of the operating system, as the interface wants it.
const EIO: c_int = 5;

/// `ArrowSchema` of the interface.
#[repr(C)]
pub(crate) struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    child_count: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private: *mut c_void,
}

/// `ArrowArray` of the interface.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    buffer_count: i64,
    child_count: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private: *mut c_void,
}

/// `ArrowArrayStream` of the interface.
#[repr(C)]
pub(crate) struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private: *mut c_void,
}

// SAFETY: The private data of both is owned, and every part of it may move between threads.
unsafe impl Send for Schema {}
// SAFETY: As above.
unsafe impl Send for Stream {}

/// Column may be null.
const NULLABLE: i64 = 2;

/// Memory of a schema.
struct SchemaOwner {
    _format: CString,
    _name: CString,
    children: Vec<*mut Schema>,
}

impl Schema {
    /// Returns the schema of a batch, as a struct of its columns.
    pub(crate) fn of(batch: &Batch) -> Self {
        let children = batch.columns().iter().map(|column| {
            let spec = column.spec();
            let format = match spec.kind {
                ColumnKind::Double => c"g",
                ColumnKind::Float => c"f",
                ColumnKind::Number => c"I",
                ColumnKind::Flag => c"b",
                _ => c"u",
            };
            let flags = if spec.is_optional { NULLABLE } else { 0 };
            Box::into_raw(Box::new(Self::new(format, spec.name, flags, Vec::new())))
        });
        let children = children.collect();
        Self::new(c"+s", "", 0, children)
    }

    fn new(format: &CStr, name: &str, flags: i64, children: Vec<*mut Self>) -> Self {
        let (format, name) = (format.to_owned(), CString::new(name).unwrap_or_default());
        let mut owner = Box::new(SchemaOwner { _format: format, _name: name, children });
        Self {
            format: owner._format.as_ptr(),
            name: owner._name.as_ptr(),
            metadata: ptr::null(),
            flags,
            child_count: owner.children.len() as i64,
            children: owner.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private: Box::into_raw(owner).cast(),
        }
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: The function is called once, because it clears the field.
            unsafe { release(self) }
        }
    }
}

/// Releases a schema, with the children that the caller left in it.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: The caller passes a schema that this crate made and that is not released.
    let owner = unsafe {
        (*schema).release = None;
        Box::from_raw((*schema).private.cast::<SchemaOwner>())
    };
    for child in owner.children {
        // SAFETY: Each child was boxed by `Schema::of`. A taken one has no `release`, so dropping it is nothing.
        drop(unsafe { Box::from_raw(child) });
    }
}

/// Memory of an array.
struct ArrayOwner {
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
    _batch: Option<Arc<Batch>>,
    _bits: Vec<Vec<u8>>,
    _offsets: Vec<i32>,
}

impl Array {
    /// Returns rows of a batch as a struct of its columns.
    fn of(batch: &Arc<Batch>, from: usize, rows: usize) -> Self {
        let child = |column: &Column| Box::into_raw(Box::new(Self::of_column(batch, column, from, rows)));
        let children: Vec<*mut Self> = batch.columns().iter().map(child).collect();
        let buffers = vec![ptr::null()];
        Self::new(
            rows,
            0,
            ArrayOwner { buffers, children, _batch: None, _bits: Vec::new(), _offsets: Vec::new() },
        )
    }

    fn of_column(batch: &Arc<Batch>, column: &Column, from: usize, rows: usize) -> Self {
        let range = from..from + rows;
        let present = column.present().map(|present| &present[range.clone()]);
        let (mut bits, mut offsets, mut buffers) = (Vec::new(), Vec::new(), Vec::new());
        let mut null_count = 0;
        match present {
            Some(present) => {
                null_count = present.iter().filter(|is_there| !**is_there).count();
                bits.push(packed(present));
                buffers.push(bits[0].as_ptr().cast());
            }
            None => buffers.push(ptr::null()),
        }
        match column.values() {
            Values::Double(values) => buffers.push(values[range].as_ptr().cast()),
            Values::Float(values) => buffers.push(values[range].as_ptr().cast()),
            Values::Number(values) => buffers.push(values[range].as_ptr().cast()),
            Values::Flag(values) => {
                bits.push(packed(&values[range]));
                buffers.push(bits[bits.len() - 1].as_ptr().cast());
            }
            Values::Text(texts) => {
                let mut bytes = Vec::new();
                offsets.push(0);
                for row in range {
                    bytes.extend_from_slice(texts.get(row).unwrap_or("").as_bytes());
                    offsets.push(bytes.len() as i32);
                }
                buffers.push(offsets.as_ptr().cast());
                bits.push(bytes);
                buffers.push(bits[bits.len() - 1].as_ptr().cast());
            }
            _ => buffers.push(ptr::null()),
        }
        let owner = ArrayOwner {
            buffers,
            children: Vec::new(),
            _batch: Some(Arc::clone(batch)),
            _bits: bits,
            _offsets: offsets,
        };
        Self::new(rows, null_count, owner)
    }

    fn new(rows: usize, null_count: usize, owner: ArrayOwner) -> Self {
        let mut owner = Box::new(owner);
        Self {
            length: rows as i64,
            null_count: null_count as i64,
            offset: 0,
            buffer_count: owner.buffers.len() as i64,
            child_count: owner.children.len() as i64,
            buffers: owner.buffers.as_mut_ptr(),
            children: owner.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            private: Box::into_raw(owner).cast(),
        }
    }

    /// Returns the array that ends a stream.
    const fn released() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            buffer_count: 0,
            child_count: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private: ptr::null_mut(),
        }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: The function is called once, because it clears the field.
            unsafe { release(self) }
        }
    }
}

/// Releases an array, with the children that the caller left in it.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: The caller passes an array that this crate made and that is not released.
    let owner = unsafe {
        (*array).release = None;
        Box::from_raw((*array).private.cast::<ArrayOwner>())
    };
    for child in &owner.children {
        // SAFETY: Each child was boxed by `Array::of`. A taken one has no `release`, so dropping it is nothing.
        drop(unsafe { Box::from_raw(*child) });
    }
}

/// Returns flags as bits, the first in the lowest.
fn packed(flags: &[bool]) -> Vec<u8> {
    let byte =
        |chunk: &[bool]| chunk.iter().enumerate().fold(0, |byte, (bit, flag)| byte | u8::from(*flag) << bit);
    flags.chunks(8).map(byte).collect()
}

/// State of a stream.
struct StreamOwner {
    batch: Arc<Batch>,
    next: usize,
}

impl Stream {
    /// Returns a stream of the rows of a batch.
    pub(crate) fn of(batch: Arc<Batch>) -> Self {
        Self {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private: Box::into_raw(Box::new(StreamOwner { batch, next: 0 })).cast(),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: The function is called once, because it clears the field.
            unsafe { release(self) }
        }
    }
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: The caller passes a stream that this crate made and that is not released.
    let owner = unsafe { &*(*stream).private.cast::<StreamOwner>() };
    let Ok(schema) = catch_unwind(AssertUnwindSafe(|| Schema::of(&owner.batch))) else { return EIO };
    // SAFETY: The caller passes memory for a schema, which holds none yet.
    unsafe { out.write(schema) };
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: The caller passes a stream that this crate made and that is not released.
    let owner = unsafe { &mut *(*stream).private.cast::<StreamOwner>() };
    let rows = (owner.batch.rows() - owner.next).min(CHUNK_ROWS);
    let array = match rows {
        0 => Array::released(),
        rows => {
            let chunk = AssertUnwindSafe(|| Array::of(&owner.batch, owner.next, rows));
            let Ok(array) = catch_unwind(chunk) else { return EIO };
            owner.next += rows;
            array
        }
    };
    // SAFETY: The caller passes memory for an array, which holds none yet.
    unsafe { out.write(array) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    c"the rows could not be handed out".as_ptr()
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: The caller passes a stream that this crate made and that is not released.
    unsafe {
        (*stream).release = None;
        drop(Box::from_raw((*stream).private.cast::<StreamOwner>()));
    }
}
