//! The pixels of one band.

use tiff::decoder::{ChunkType, DecodingResult};
use tiff::tags::Tag;

use super::tags::{Tags, most_bytes};

/// Tags of GDAL.
const GDAL_METADATA: Tag = Tag::Unknown(42112);

/// Rows, columns and values of a band; what is no data is not a number.
pub(super) fn read(
    tags: &mut Tags<'_>,
    band: u32,
    most_pixels: usize,
) -> Result<(usize, usize, Vec<f64>), String> {
    let image = Image::of(tags, band, most_pixels)?;
    let mut values = vec![f64::NAN; image.rows * image.columns];
    let planes_before = if image.separate { image.band } else { 0 };
    for chunk in 0..image.across * image.down {
        let index = planes_before * image.across * image.down + chunk;
        let missing = |numbers: &[u64]| numbers.get(index).copied().unwrap_or(0) == 0;
        if missing(&image.offsets) || missing(&image.sizes) {
            // A tile that was never written.
            continue;
        }
        let (top, left) =
            (chunk / image.across * image.chunk_rows, chunk % image.across * image.chunk_columns);
        let rows = image.chunk_rows.min(image.rows - top);
        let columns = image.chunk_columns.min(image.columns - left);
        let place = || format!("the pixels from row {top} and column {left} on cannot be read");
        let number = u32::try_from(index).map_err(|_| place())?;
        let read = tags.decoder.read_chunk(number);
        let numbers = numbers(read.map_err(|error| format!("{}: {error}", place()))?);
        let samples = if image.separate { 1 } else { image.bands };
        let first = if image.separate { 0 } else { image.band };
        // Chunks are decoded without the padding at the right, but not all without that below.
        let (stride, decoded_rows) = tags.decoder.chunk_data_dimensions(number);
        let (stride, decoded_rows) = (stride as usize, decoded_rows as usize);
        let complete = numbers.len() == stride * decoded_rows * samples;
        if !complete || stride < columns || decoded_rows < rows {
            return Err(format!("{}: there are {} numbers", place(), numbers.len()));
        }
        for row in 0..rows {
            for column in 0..columns {
                let value = numbers[(row * stride + column) * samples + first];
                if value.is_finite() && !image.is_missing(value) {
                    values[(top + row) * image.columns + left + column] = value;
                }
            }
        }
    }
    Ok((image.rows, image.columns, values))
}

/// How an image is stored.
struct Image {
    rows: usize,
    columns: usize,
    bands: usize,
    /// Counted from 0.
    band: usize,
    /// Whether each band has chunks of its own.
    separate: bool,
    chunk_rows: usize,
    chunk_columns: usize,
    across: usize,
    down: usize,
    offsets: Vec<u64>,
    sizes: Vec<u64>,
    no_data: Option<f64>,
}

impl Image {
    fn of(tags: &mut Tags<'_>, band: u32, most_pixels: usize) -> Result<Self, String> {
        let (columns, rows) =
            tags.decoder.dimensions().map_err(|error| format!("it has no size: {error}"))?;
        let (columns, rows) = (columns as usize, rows as usize);
        if rows.checked_mul(columns).is_none_or(|pixels| pixels > most_pixels) {
            return Err(format!(
                "it has {columns} × {rows} pixels, and at most {most_pixels} are read"
            ));
        }
        if rows < 2 || columns < 2 {
            return Err(format!("it has {columns} × {rows} pixels, and 2 × 2 are the least"));
        }
        let bands = tags.count(Tag::SamplesPerPixel, 1)? as usize;
        if band == 0 || band as usize > bands {
            return Err(format!("it has no band {band}: it has {bands}"));
        }
        let interpretation = tags.count(Tag::PhotometricInterpretation, 1)?;
        if interpretation != 1 {
            return Err(format!(
                "its photometric interpretation is {interpretation}: it is a picture, not a raster \
                 of depths (1)"
            ));
        }
        refuse_scaled(tags)?;
        let separate = tags.count(Tag::PlanarConfiguration, 1)? == 2;
        let tiled = tags.decoder.get_chunk_type() == ChunkType::Tile;
        let (width, height) = tags.decoder.chunk_dimensions();
        let (chunk_columns, chunk_rows) = (width as usize, height as usize);
        let tallest = if tiled { chunk_rows } else { chunk_rows.min(rows) };
        let chunk_bytes = [tallest, bands, 8]
            .iter()
            .try_fold(chunk_columns, |product, &factor| product.checked_mul(factor));
        if chunk_bytes.is_none_or(|bytes| bytes == 0 || bytes > most_bytes(most_pixels)) {
            return Err(format!(
                "its parts of {chunk_columns} × {chunk_rows} pixels with {bands} bands are too large"
            ));
        }
        let (offsets, sizes) = if tiled {
            (Tag::TileOffsets, Tag::TileByteCounts)
        } else {
            (Tag::StripOffsets, Tag::StripByteCounts)
        };
        Ok(Image {
            rows,
            columns,
            bands,
            band: band as usize - 1,
            separate,
            chunk_rows,
            chunk_columns,
            across: columns.div_ceil(chunk_columns),
            down: rows.div_ceil(chunk_rows),
            offsets: tags.counts(offsets)?.unwrap_or_default(),
            sizes: tags.counts(sizes)?.unwrap_or_default(),
            no_data: no_data(tags)?,
        })
    }

    /// Whether a value stands for no data. It was written as a decimal number, which a value of 32 bits
    /// meets only after rounding.
    fn is_missing(&self, value: f64) -> bool {
        self.no_data.is_some_and(|none| value == none || value == f64::from(none as f32))
    }
}

fn no_data(tags: &mut Tags<'_>) -> Result<Option<f64>, String> {
    let Some(text) = tags.text(Tag::GdalNodata)? else { return Ok(None) };
    let number = text.parse();
    number.map(Some).map_err(|_| format!("its value for no data is \"{text}\", which is no number"))
}

/// Refuses values that mean something else than they say.
fn refuse_scaled(tags: &mut Tags<'_>) -> Result<(), String> {
    let metadata = tags.text(GDAL_METADATA)?.unwrap_or_default();
    for role in ["scale", "offset"] {
        if metadata.contains(&format!("role=\"{role}\"")) {
            return Err(format!(
                "its values have a {role} (GDAL_METADATA), which is not applied; write them unscaled, \
                 for example with gdal_translate -unscale"
            ));
        }
    }
    Ok(())
}

fn numbers(decoded: DecodingResult) -> Vec<f64> {
    fn all<T: Copy>(numbers: &[T], number: impl Fn(T) -> f64) -> Vec<f64> {
        numbers.iter().map(|&x| number(x)).collect()
    }
    match decoded {
        DecodingResult::U8(numbers) => all(&numbers, f64::from),
        DecodingResult::U16(numbers) => all(&numbers, f64::from),
        DecodingResult::U32(numbers) => all(&numbers, f64::from),
        DecodingResult::U64(numbers) => all(&numbers, |x| x as f64),
        DecodingResult::I8(numbers) => all(&numbers, f64::from),
        DecodingResult::I16(numbers) => all(&numbers, f64::from),
        DecodingResult::I32(numbers) => all(&numbers, f64::from),
        DecodingResult::I64(numbers) => all(&numbers, |x| x as f64),
        DecodingResult::F16(numbers) => all(&numbers, |x| x.to_f64()),
        DecodingResult::F32(numbers) => all(&numbers, f64::from),
        DecodingResult::F64(numbers) => numbers,
    }
}
