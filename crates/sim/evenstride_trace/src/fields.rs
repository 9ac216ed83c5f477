//! Typed access to the fields of a line. Every error names the field.

use evenstride_types::{Placement, Pose, RawPlacement, Rotation, SimTime, Vec3};
use serde_json::{Map, Value};

use crate::trace::Malformed;

/// The fields of an object in a line, and the path of that object for errors.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    line: usize,
    path: &'static str,
}

impl<'a> Fields<'a> {
    /// Creates a view of an object in a line.
    pub const fn new(map: &'a Map<String, Value>, line: usize) -> Self {
        Self { map, line, path: "" }
    }

    /// Returns the object in field `name`.
    pub fn object(&self, name: &'static str) -> Result<Self, Malformed> {
        let map = self.get(name)?.as_object().ok_or_else(|| self.wrong(name, "an object"))?;
        Ok(Self { map, line: self.line, path: name })
    }

    /// Returns a number.
    pub fn f64(&self, name: &str) -> Result<f64, Malformed> {
        self.get(name)?.as_f64().ok_or_else(|| self.wrong(name, "a number"))
    }

    /// Returns a number, rounded to `f32`.
    pub fn f32(&self, name: &str) -> Result<f32, Malformed> {
        // Nine digits of an f32, read as f64 and rounded, give the same f32. They lie far closer to
        // it than to the midpoint.
        Ok(self.f64(name)? as f32)
    }

    /// Returns a number, or `None` if the trace has `null`.
    pub fn f32_or_null(&self, name: &str) -> Result<Option<f32>, Malformed> {
        if self.get(name)?.is_null() { Ok(None) } else { self.f32(name).map(Some) }
    }

    /// Returns the object in field `name`, or `None` if the trace has `null`.
    pub fn object_or_null(&self, name: &'static str) -> Result<Option<Self>, Malformed> {
        if self.get(name)?.is_null() { Ok(None) } else { self.object(name).map(Some) }
    }

    /// Returns a flag, which traces write as 0 or 1, `true` or `false`.
    pub fn flag(&self, name: &str) -> Result<bool, Malformed> {
        let value = self.get(name)?;
        let flag = value.as_bool().or_else(|| value.as_f64().map(|number| number != 0.0));
        flag.ok_or_else(|| self.wrong(name, "0 or 1"))
    }

    /// Returns a list of two flags.
    pub fn flags(&self, name: &str) -> Result<[bool; 2], Malformed> {
        Ok(self.numbers::<2>(name)?.map(|number| number != 0.0))
    }

    /// Returns a whole number.
    pub fn u32(&self, name: &str) -> Result<u32, Malformed> {
        let number = self.get(name)?.as_u64().and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| self.wrong(name, "a whole number up to 4294967295"))
    }

    /// Returns a time in seconds.
    pub fn time(&self, name: &str) -> Result<SimTime, Malformed> {
        SimTime::from_secs(self.f64(name)?).map_err(|reason| self.malformed(name, &reason.to_string()))
    }

    /// Returns a whole number.
    pub fn u16(&self, name: &str) -> Result<u16, Malformed> {
        let number = self.get(name)?.as_u64().and_then(|n| u16::try_from(n).ok());
        number.ok_or_else(|| self.wrong(name, "a whole number up to 65535"))
    }

    /// Returns a cell or command, which traces write as `"0xA9B4001C"`.
    pub fn hex(&self, name: &str) -> Result<u32, Malformed> {
        let digits = self.get(name)?.as_str().and_then(|s| s.strip_prefix("0x"));
        let number = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
        number.ok_or_else(|| self.wrong(name, "a string like \"0xA9B4001C\""))
    }

    /// Returns a whole number.
    pub fn i32(&self, name: &str) -> Result<i32, Malformed> {
        let number = self.get(name)?.as_i64().and_then(|n| i32::try_from(n).ok());
        number.ok_or_else(|| self.wrong(name, "a whole number"))
    }

    /// Returns the list in field `name`.
    pub fn list(&self, name: &str) -> Result<&'a [Value], Malformed> {
        let list = self.get(name)?.as_array().map(Vec::as_slice);
        list.ok_or_else(|| self.wrong(name, "a list"))
    }

    /// Returns the text in field `name`.
    pub fn text(&self, name: &str) -> Result<&'a str, Malformed> {
        self.get(name)?.as_str().ok_or_else(|| self.wrong(name, "text"))
    }

    /// Returns a quaternion of about unit length, normalized.
    pub fn rotation(&self, name: &str) -> Result<Rotation, Malformed> {
        Rotation::normalized(self.numbers(name)?).map_err(|reason| self.malformed(name, &reason.to_string()))
    }

    /// Returns three numbers.
    pub fn vector(&self, name: &str) -> Result<Vec3, Malformed> {
        self.numbers(name).map(Vec3::from_array)
    }

    /// Returns fields `cell`, `pos` and `quat` of this object.
    pub fn raw_placement(&self) -> Result<RawPlacement, Malformed> {
        Ok(RawPlacement { cell: self.hex("cell")?, origin: self.vector("pos")?, wxyz: self.numbers("quat")? })
    }

    /// Returns fields `cell`, `pos` and `quat` of this object as a valid place.
    pub fn placement(&self) -> Result<Placement, Malformed> {
        self.raw_placement()?.check().map_err(|reason| self.malformed("", &reason.to_string()))
    }

    /// Returns fields `pos` and `quat` of this object. Field `cell` must be present but may be
    /// invalid.
    pub fn pose(&self) -> Result<Pose, Malformed> {
        let raw = self.raw_placement()?;
        let rotation = Rotation::new(raw.wxyz).map_err(|reason| self.malformed("", &reason.to_string()))?;
        Pose::new(raw.origin, rotation).map_err(|reason| self.malformed("", &reason.to_string()))
    }

    fn numbers<const N: usize>(&self, name: &str) -> Result<[f32; N], Malformed> {
        let numbers = self.get(name)?.as_array().and_then(|items| {
            let numbers: Option<Vec<f32>> =
                items.iter().map(|item| item.as_f64().map(|n| n as f32)).collect();
            numbers.and_then(|n| n.try_into().ok())
        });
        numbers.ok_or_else(|| self.wrong(name, &format!("a list of {N} numbers")))
    }

    fn get(&self, name: &str) -> Result<&'a Value, Malformed> {
        self.map.get(name).ok_or_else(|| self.malformed(name, "missing"))
    }

    fn wrong(&self, name: &str, wanted: &str) -> Malformed {
        let found = self.map.get(name).map_or_else(String::new, ToString::to_string);
        self.malformed(name, &format!("{found} is not {wanted}"))
    }

    /// Creates an error that names a field.
    pub fn malformed(&self, name: &str, reason: &str) -> Malformed {
        let dot = if self.path.is_empty() || name.is_empty() { "" } else { "." };
        Malformed::at(self.line, format!("{}{dot}{name}: {reason}", self.path))
    }
}
