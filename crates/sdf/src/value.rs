//! Numbers, flags, vectors, colours and poses in the text of elements.
//!
//! An empty element means what an absent one means, as in Gazebo. Numbers are those of C++ streams, `.5` and
//! `1.` among them. `NaN` is never a value; infinity only where a limit may be absent.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};

use crate::error::SdfError;
use crate::xml::Element;

/// Farthest place, in metres: beyond, chains of poses would lose all digits or overflow.
const MAX_DISTANCE: f64 = 1e12;

/// Red, green, blue and opacity, usually from 0 to 1.
pub type Colour = [f64; 4];

impl Element {
    /// The number in this element; none where it is empty.
    pub fn as_number(&self) -> Result<Option<f64>, SdfError> {
        let value = self.as_limit()?;
        match value {
            Some(value) if value.is_infinite() => Err(self.bad("a finite number")),
            value => Ok(value),
        }
    }

    /// The number in this element, which may be infinite.
    pub fn as_limit(&self) -> Result<Option<f64>, SdfError> {
        if self.text.is_empty() {
            return Ok(None);
        }
        number(&self.text).map(Some).ok_or_else(|| self.bad("a number"))
    }

    /// The whole number in this element, which `0x` may begin.
    pub fn as_count(&self) -> Result<Option<u64>, SdfError> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let hexadecimal = self.text.strip_prefix("0x").or_else(|| self.text.strip_prefix("0X"));
        if let Some(digits) = hexadecimal {
            let value = u64::from_str_radix(digits, 16);
            return value.map(Some).map_err(|_| self.bad("a whole number"));
        }
        match number(&self.text) {
            // `640.0` is found in real files. Beyond 2^53 not every number is a float.
            Some(value) if (0.0..=9.0e15).contains(&value) && value == value.trunc() => {
                Ok(Some(value as u64))
            }
            _ => Err(self.bad("a whole number, not below zero")),
        }
    }

    /// The flag in this element.
    pub fn as_flag(&self) -> Result<Option<bool>, SdfError> {
        match self.text.to_ascii_lowercase().as_str() {
            "" => Ok(None),
            "true" | "1" => Ok(Some(true)),
            "false" | "0" => Ok(Some(false)),
            _ => Err(self.bad("true, false, 1 or 0")),
        }
    }

    /// Exactly `N` finite numbers.
    pub fn as_numbers<const N: usize>(&self) -> Result<Option<[f64; N]>, SdfError> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let numbers = self.number_list()?;
        let found = numbers.len();
        <[f64; N]>::try_from(numbers).map(Some).map_err(|_| {
            let what = format!("<{}> has {found} numbers: {}", self.name, shown(&self.text));
            self.error(what, format!("write {N} numbers"))
        })
    }

    /// All numbers, however many.
    pub fn number_list(&self) -> Result<Vec<f64>, SdfError> {
        let words = self.text.split_whitespace();
        let numbers = words.map(|word| number(word).filter(|value| value.is_finite()));
        numbers.collect::<Option<_>>().ok_or_else(|| self.bad("finite numbers"))
    }

    /// Three numbers.
    pub fn as_vector(&self) -> Result<Option<Vector3<f64>>, SdfError> {
        Ok(self.as_numbers::<3>()?.map(Vector3::from))
    }

    /// A direction: three numbers that are not all zero, as a unit vector.
    pub fn as_direction(&self) -> Result<Option<Vector3<f64>>, SdfError> {
        let Some(vector) = self.as_vector()? else { return Ok(None) };
        let direction = vector.try_normalize(1e-12).filter(|d| d.iter().all(|x| x.is_finite()));
        direction.map(Some).ok_or_else(|| {
            let what = format!("<{}> has no direction: {}", self.name, shown(&self.text));
            self.error(what, "write a vector that is not zero")
        })
    }

    /// A colour of three or four numbers.
    pub fn as_colour(&self) -> Result<Option<Colour>, SdfError> {
        if self.text.is_empty() {
            return Ok(None);
        }
        match self.number_list()?.as_slice() {
            [r, g, b] => Ok(Some([*r, *g, *b, 1.0])),
            [r, g, b, a] => Ok(Some([*r, *g, *b, *a])),
            _ => Err(self.bad("three or four numbers (red, green, blue, opacity)")),
        }
    }

    /// The pose in this element: `x y z roll pitch yaw`, rotations about fixed axes in this order, so that
    /// R = Rz(yaw) Ry(pitch) Rx(roll); in degrees with `degrees="true"`; `x y z qx qy qz qw` with
    /// `rotation_format="quat_xyzw"` (SDF 1.9 on).
    pub fn as_pose(&self) -> Result<Option<Isometry3<f64>>, SdfError> {
        let degrees = match self.attribute("degrees").map(str::to_ascii_lowercase).as_deref() {
            None | Some("" | "false" | "0") => false,
            Some("true" | "1") => true,
            Some(other) => {
                let what = format!("the attribute degrees is `{}`", shown(other));
                return Err(self.error(what, "write true or false"));
            }
        };
        match self.attribute("rotation_format").unwrap_or("euler_rpy") {
            "quat_xyzw" if degrees => {
                let what = "a pose with a quaternion is in degrees";
                Err(self.error(what, "take one of the attributes away"))
            }
            "quat_xyzw" => {
                let Some([x, y, z, qx, qy, qz, qw]) = self.as_numbers::<7>()? else {
                    return Ok(None);
                };
                let q = Quaternion::new(qw, qx, qy, qz);
                let q = UnitQuaternion::try_new(q, 1e-12)
                    .filter(|q| q.coords.iter().all(|x| x.is_finite()));
                let q = q.ok_or_else(|| {
                    let what = format!("the quaternion is zero: {}", shown(&self.text));
                    self.error(what, "write 0 0 0 1 for no rotation")
                })?;
                Ok(Some(Isometry3::from_parts(self.translation([x, y, z])?, q)))
            }
            "" | "euler_rpy" => {
                let Some([x, y, z, roll, pitch, yaw]) = self.as_numbers::<6>()? else {
                    return Ok(None);
                };
                let unit = if degrees { std::f64::consts::PI / 180.0 } else { 1.0 };
                let turn = UnitQuaternion::from_euler_angles(roll * unit, pitch * unit, yaw * unit);
                Ok(Some(Isometry3::from_parts(self.translation([x, y, z])?, turn)))
            }
            other => {
                let what = format!("the rotation_format `{}` is not known", shown(other));
                Err(self.error(what, "write euler_rpy or quat_xyzw"))
            }
        }
    }

    fn translation(&self, place: [f64; 3]) -> Result<Translation3<f64>, SdfError> {
        if place.iter().any(|x| x.abs() > MAX_DISTANCE) {
            return Err(self.bad(&format!("a place within {MAX_DISTANCE:e} m")));
        }
        Ok(Translation3::from(place))
    }

    /// The number in the first child of a name.
    pub fn number(&self, name: &str) -> Result<Option<f64>, SdfError> {
        self.child(name).map_or(Ok(None), Element::as_number)
    }

    /// The flag in the first child of a name.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, SdfError> {
        self.child(name).map_or(Ok(None), Element::as_flag)
    }

    /// The three numbers in the first child of a name.
    pub fn vector(&self, name: &str) -> Result<Option<Vector3<f64>>, SdfError> {
        self.child(name).map_or(Ok(None), Element::as_vector)
    }

    fn bad(&self, expected: &str) -> SdfError {
        let what = format!("<{}> is not {expected}: {}", self.name, shown(&self.text));
        self.error(what, format!("write {expected}"))
    }
}

/// A number that is not `NaN`.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| !value.is_nan())
}

/// The beginning of a text, for a message.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(60).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}
