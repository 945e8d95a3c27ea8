//! Inputs made of other inputs, the same in every run.

/// What parsers stumble over.
const PIECES: [&[u8]; 28] = [
    b"\0",
    b"\n",
    b"\r\n",
    b"\"",
    b"'",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\xff",
    b"\xc3",
    "é".as_bytes(),
    "\u{feff}".as_bytes(),
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"18446744073709551615",
    b"9223372036854775807",
    b"//",
    b"/*",
    b"#",
    b"=",
];
/// No input grows beyond this.
const LONGEST: usize = 1 << 16;

/// An endless row of inputs.
pub struct Mutations {
    inputs: Vec<Vec<u8>>,
    state: u64,
}

impl Mutations {
    /// Mutations of `inputs`, of which there is at least one.
    pub fn of(inputs: Vec<Vec<u8>>) -> Self {
        assert!(!inputs.is_empty());
        Self { inputs, state: 0x9e37_79b9_7f4a_7c15 }
    }

    /// A number below `end`, or 0.
    fn below(&mut self, end: usize) -> usize {
        // xorshift: any generator would do, this one needs no crate.
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 11).unwrap_or(0).checked_rem(end).unwrap_or(0)
    }

    /// The next input.
    pub fn next(&mut self) -> Vec<u8> {
        let chosen = self.below(self.inputs.len());
        let mut input = self.inputs[chosen].clone();
        for _ in 0..=self.below(4) {
            self.mutate(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let until = at + self.below((input.len() - at).min(64) + 1);
        match self.below(7) {
            0 => drop(input.drain(at..until)),
            1 => input.truncate(at),
            2 => {
                let again = input[at..until].to_vec();
                input.splice(at..at, again);
            }
            3 => {
                let piece = PIECES[self.below(PIECES.len())];
                input.splice(at..at, piece.iter().copied());
            }
            4 => {
                let piece = PIECES[self.below(PIECES.len())];
                input.splice(at..until, piece.iter().copied());
            }
            5 => {
                let other = self.below(self.inputs.len());
                let from = self.below(self.inputs[other].len());
                input.truncate(at);
                input.extend_from_slice(&self.inputs[other][from..]);
            }
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << self.below(8);
                }
            }
        }
    }
}
