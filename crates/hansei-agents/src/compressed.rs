//! Reading files that an agent compressed with Zstandard, in bounded room: frame after frame, nothing unpacked whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// The largest window that a frame may ask for: so much of what was unpacked is kept. Compressors use up to 8 MB unless they
/// are told to use more.
const LARGEST_WINDOW: u64 = 32 * 1024 * 1024;
/// The most that is unpacked from one file.
const LARGEST: u64 = 4 * 1024 * 1024 * 1024;

/// What `file` holds, unpacked while it is read.
pub(crate) fn open(file: &Path) -> io::Result<impl Read + use<>> {
    let input = BufReader::with_capacity(64 * 1024, File::open(file)?);
    Ok(Frames { input: Some(input), frame: None }.take(LARGEST))
}

/// The frames of a file, one after the other.
struct Frames {
    /// The file, between frames.
    input: Option<BufReader<File>>,
    frame: Option<StreamingDecoder<BufReader<File>, FrameDecoder>>,
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
                self.input = self.frame.take().map(StreamingDecoder::into_inner);
            }
            let Some(mut input) = self.input.take() else { return Ok(0) };
            if input.fill_buf()?.is_empty() {
                return Ok(0);
            }
            let frame = StreamingDecoder::new_with_max_window_size(input, LARGEST_WINDOW);
            self.frame = Some(frame.map_err(io::Error::other)?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), bytes)?;
        let mut all = Vec::new();
        open(file.path())?.read_to_end(&mut all)?;
        Ok(all)
    }

    #[test]
    fn frames_are_unpacked_one_after_the_other() {
        let parts = ["one line\n".repeat(40_000), String::new(), "another\n".into()];
        let packed: Vec<u8> = parts
            .iter()
            .flat_map(|part| compress_to_vec(part.as_bytes(), CompressionLevel::Fastest))
            .collect();
        assert_eq!(unpacked(&packed).unwrap(), parts.concat().into_bytes());
        assert_eq!(unpacked(b"").unwrap(), b"");
    }

    #[test]
    fn what_is_no_frame_or_asks_for_too_much_is_refused() {
        // A window of 2 GB, and a single segment of 1 TB.
        let greedy: [&[u8]; 2] = [
            &[0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0x01, 0x00, 0x00],
            &[0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 0x01, 0x00, 0x00],
        ];
        let small = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0, 0x01, 0x00, 0x00];
        assert_eq!(unpacked(&small).unwrap(), b"", "the same frame with a small window");
        let mut cut = compress_to_vec("text ".repeat(9_000).as_bytes(), CompressionLevel::Fastest);
        cut.truncate(cut.len() / 2);
        for bytes in [greedy[0], greedy[1], b"not packed", &cut[..], &[0x28, 0xb5]] {
            assert!(unpacked(bytes).is_err(), "{bytes:?}");
        }
    }
}
