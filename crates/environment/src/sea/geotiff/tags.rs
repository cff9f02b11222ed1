//! The tags of the first image of a TIFF file.

use std::io::Cursor;

use tiff::decoder::ifd::Value;
use tiff::decoder::{Decoder, Limits};
use tiff::tags::Tag;

/// A TIFF file and the tags of its first image; overviews and masks, which follow it, are not read.
pub(super) struct Tags<'a> {
    pub decoder: Decoder<Cursor<&'a [u8]>>,
}

impl<'a> Tags<'a> {
    pub fn open(bytes: &'a [u8], most_pixels: usize) -> Result<Self, String> {
        let decoder = Decoder::new(Cursor::new(bytes))
            .map_err(|error| format!("it is no TIFF file that can be read: {error}"))?;
        let mut limits = Limits::default();
        limits.decoding_buffer_size = most_bytes(most_pixels);
        limits.intermediate_buffer_size = most_bytes(most_pixels);
        // The offsets of as many tiles as such an image may have.
        limits.ifd_value_size = 16 << 20;
        Ok(Tags { decoder: decoder.with_limits(limits) })
    }

    fn find(&mut self, tag: Tag) -> Result<Option<Value>, String> {
        self.decoder.find_tag(tag).map_err(|error| format!("its tag {tag:?} is damaged: {error}"))
    }

    /// Numbers of a tag.
    pub fn reals(&mut self, tag: Tag) -> Result<Option<Vec<f64>>, String> {
        let found = self.find(tag)?.map(Value::into_f64_vec).transpose();
        found.map_err(|error| format!("its tag {tag:?} holds no real numbers: {error}"))
    }

    /// Whole numbers of a tag.
    pub fn counts(&mut self, tag: Tag) -> Result<Option<Vec<u64>>, String> {
        let found = self.find(tag)?.map(Value::into_u64_vec).transpose();
        found.map_err(|error| format!("its tag {tag:?} holds no whole numbers: {error}"))
    }

    /// A whole number, or what holds where the tag is missing.
    pub fn count(&mut self, tag: Tag, otherwise: u64) -> Result<u64, String> {
        Ok(self.counts(tag)?.and_then(|counts| counts.first().copied()).unwrap_or(otherwise))
    }

    /// The text of a tag.
    pub fn text(&mut self, tag: Tag) -> Result<Option<String>, String> {
        let found = self.find(tag)?.map(Value::into_string).transpose();
        let text = found.map_err(|error| format!("its tag {tag:?} holds no text: {error}"))?;
        Ok(text.map(|text| text.trim_end_matches('\0').trim().to_owned()))
    }
}

/// How much of a file is decoded at once: two bands of 64 bits of the largest image.
pub(super) fn most_bytes(most_pixels: usize) -> usize {
    most_pixels.saturating_mul(16)
}
