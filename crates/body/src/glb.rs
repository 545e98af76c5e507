//! Binary glTF: one JSON document and one buffer that it refers to.

use serde_json::{Map, Value, json};

const ARRAY: u32 = 34962;
const ELEMENTS: u32 = 34963;
const BYTE: u32 = 5121;
const SHORT: u32 = 5123;
const FLOAT: u32 = 5126;

#[derive(Default)]
pub struct Glb {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    images: Vec<Value>,
}

impl Glb {
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, rows: &[[f32; N]], target: Option<u32>) -> usize {
        let view = self.view(&little_endian(rows), target);
        let (least, most) = bounds(rows);
        self.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": rows.len(), "type": accessor_type(N), "min": least, "max": most,
        }))
    }

    /// Writes an attribute of each point of a surface.
    pub fn vertex_attribute<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        self.floats(rows, Some(ARRAY))
    }

    /// Writes values that are not vertex attributes: times, rotations, matrices.
    pub fn values_accessor<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        self.floats(rows, None)
    }

    /// Writes the bones of each point, or their weights if `normalized`, where 255 is the full weight.
    pub fn bytes(&mut self, rows: &[[u8; 4]], normalized: bool) -> usize {
        let view = self.view(rows.as_flattened(), Some(ARRAY));
        let mut accessor =
            json!({"bufferView": view, "componentType": BYTE, "count": rows.len(), "type": "VEC4"});
        if normalized {
            accessor["normalized"] = true.into();
        }
        self.accessor(accessor)
    }

    pub fn triangles(&mut self, triangles: &[[u32; 3]]) -> usize {
        let corners = triangles.as_flattened().iter().map(|&at| u16::try_from(at).unwrap_or(u16::MAX));
        let bytes: Vec<u8> = corners.flat_map(u16::to_le_bytes).collect();
        let view = self.view(&bytes, Some(ELEMENTS));
        let count = triangles.len() * 3;
        self.accessor(json!({"bufferView": view, "componentType": SHORT, "count": count, "type": "SCALAR"}))
    }

    /// Writes the displacement of each point as a sparse accessor: most points do not move.
    pub fn displacements(&mut self, displacements: &[[f32; 3]]) -> usize {
        let moved: Vec<(u16, [f32; 3])> = (0..)
            .zip(displacements.iter().copied())
            .filter(|(_, displacement)| displacement.iter().any(|part| part.abs() > 1e-6))
            .collect();
        let (least, most) = bounds(displacements);
        let mut accessor = json!({
            "componentType": FLOAT, "count": displacements.len(), "type": "VEC3", "min": least, "max": most,
        });
        if !moved.is_empty() {
            let places: Vec<u8> = moved.iter().flat_map(|(at, _)| at.to_le_bytes()).collect();
            let values: Vec<[f32; 3]> = moved.iter().map(|(_, displacement)| *displacement).collect();
            let (places, values) = (self.view(&places, None), self.view(&little_endian(&values), None));
            accessor["sparse"] = json!({
                "count": moved.len(),
                "indices": {"bufferView": places, "componentType": SHORT},
                "values": {"bufferView": values},
            });
        }
        self.accessor(accessor)
    }

    pub fn image(&mut self, name: &str, png: &[u8]) -> usize {
        let view = self.view(png, None);
        self.images.push(json!({"name": name, "bufferView": view, "mimeType": "image/png"}));
        self.images.len() - 1
    }

    /// Returns the whole file, with `rest` merged into the JSON.
    pub fn finish(mut self, rest: Map<String, Value>) -> Vec<u8> {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut document = Map::from_iter([
            ("asset".to_owned(), json!({"version": "2.0", "generator": "Perigee"})),
            ("buffers".to_owned(), json!([{"byteLength": self.bytes.len()}])),
            ("bufferViews".to_owned(), self.views.into()),
            ("accessors".to_owned(), self.accessors.into()),
        ]);
        if !self.images.is_empty() {
            document.insert("images".to_owned(), self.images.into());
        }
        document.extend(rest);
        let mut text = Value::Object(document).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let size = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX).to_le_bytes();
        let mut file = Vec::with_capacity(28 + text.len() + self.bytes.len());
        file.extend_from_slice(b"glTF");
        file.extend(2_u32.to_le_bytes());
        file.extend(size(28 + text.len() + self.bytes.len()));
        for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &self.bytes)] {
            file.extend(size(chunk.len()));
            file.extend_from_slice(kind);
            file.extend_from_slice(chunk);
        }
        file
    }
}

fn little_endian<const N: usize>(rows: &[[f32; N]]) -> Vec<u8> {
    rows.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn bounds<const N: usize>(rows: &[[f32; N]]) -> (Vec<f32>, Vec<f32>) {
    let column = |at: usize| rows.iter().map(move |row| row[at]);
    let least = (0..N).map(|at| column(at).fold(f32::INFINITY, f32::min)).collect();
    (least, (0..N).map(|at| column(at).fold(f32::NEG_INFINITY, f32::max)).collect())
}

fn accessor_type(components: usize) -> &'static str {
    match components {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        16 => "MAT4",
        _ => "VEC4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_parts_that_its_head_says() {
        let mut glb = Glb::default();
        glb.vertex_attribute(&[[0.0, 1.0, 2.0], [3.0, -1.0, 0.5]]);
        glb.displacements(&[[0.0; 3], [0.0, 0.25, 0.0], [0.0; 3]]);
        let file = glb.finish(Map::from_iter([("scene".to_owned(), json!(0))]));
        let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[..4], number(8)), (&b"glTF"[..], file.len()));
        let text: Value = serde_json::from_slice(&file[20..20 + number(12)]).unwrap();
        assert_eq!(text["accessors"][0]["max"], json!([3.0, 1.0, 2.0]));
        assert_eq!(text["accessors"][1]["sparse"]["count"], 1);
        assert_eq!(text["buffers"][0]["byteLength"], number(20 + number(12)));
    }
}
