use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::error::{Result, StoreError};

/// The maximum size of a file, which is also enforced when it is read. No larger file is edited.
const MOST_BYTES: u64 = 16 << 20;

/// Compresses file content. Even a fast compression level reduces code to a quarter.
pub fn pack(bytes: &[u8]) -> Result<Vec<u8>> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(StoreError::Invalid(format!("a file has more than {} MB", MOST_BYTES >> 20)));
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.map_err(|error| StoreError::Internal(error.to_string()))
}

/// Decompresses file content. The checksum at its end verifies it.
pub(crate) fn unpack(packed: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(packed).take(MOST_BYTES + 1).read_to_end(&mut bytes);
    match read {
        Ok(read) if read as u64 <= MOST_BYTES => Ok(bytes),
        _ => Err(StoreError::Damaged("a file of a proposal cannot be decompressed".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back_or_is_refused() {
        let long = b"let x = 1;\n".repeat(100_000);
        for bytes in [&b""[..], b"\0\xff\r\n", &long] {
            assert_eq!(unpack(&pack(bytes).unwrap()).unwrap(), bytes);
        }
        let packed = pack(&long).unwrap();
        assert!(packed.len() < long.len() / 50);
        for broken in [&packed[..packed.len() / 2], b"", b"plain"] {
            assert!(matches!(unpack(broken), Err(StoreError::Damaged(_))));
        }
        let bomb = |length: usize| {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&vec![0; length]).unwrap();
            encoder.finish().unwrap()
        };
        assert_eq!(unpack(&bomb(16 << 20)).unwrap().len(), 16 << 20);
        assert!(unpack(&bomb((16 << 20) + 1)).is_err());
        assert!(pack(&vec![0; (16 << 20) + 1]).is_err());
    }
}
