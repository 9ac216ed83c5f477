//! The key stream of encrypted checksums. It is ISAAC with an empty seed table, and the seed fills
//! only its three registers.

const SIZE: usize = 256;

/// The key words of one direction of a connection, in packet order.
///
/// Each encrypted packet uses one word. The packet numbered `s` uses word `s − 2`, counted from 0,
/// if all packets from number 2 on are encrypted.
///
/// ```
/// let mut keys = evenstride_wire::KeyStream::new(0xDEAD_BEEF);
/// assert_eq!(keys.next_key(), 0x5DA2_2D96);
/// ```
#[derive(Clone, Debug)]
pub struct KeyStream {
    memory: [u32; SIZE],
    results: [u32; SIZE],
    /// Number of results that are left. They are drawn from the end.
    left: usize,
    a: u32,
    b: u32,
    c: u32,
}

impl KeyStream {
    /// Creates the stream of a seed from the handshake.
    ///
    /// The server's packets use the server seed, the client's packets the client seed.
    pub fn new(seed: u32) -> Self {
        let mut mix = [0x9E37_79B9; 8];
        (0..4).for_each(|_| stir(&mut mix));
        let mut memory = [0; SIZE];
        // Two passes. The first adds nothing, because the table of results is empty.
        for chunk in memory.as_chunks_mut::<8>().0 {
            stir(&mut mix);
            *chunk = mix;
        }
        for chunk in memory.as_chunks_mut::<8>().0 {
            for (word, old) in mix.iter_mut().zip(*chunk) {
                *word = word.wrapping_add(old);
            }
            stir(&mut mix);
            *chunk = mix;
        }
        let mut stream = Self { memory, results: [0; SIZE], left: 0, a: seed, b: seed, c: seed };
        stream.generate();
        stream
    }

    /// Returns the next word.
    pub fn next_key(&mut self) -> u32 {
        if self.left == 0 {
            self.generate();
        }
        self.left -= 1;
        self.results[self.left]
    }

    fn generate(&mut self) {
        self.c = self.c.wrapping_add(1);
        self.b = self.b.wrapping_add(self.c);
        for index in 0..SIZE {
            let x = self.memory[index];
            self.a ^= match index % 4 {
                0 => self.a << 13,
                1 => self.a >> 6,
                2 => self.a << 2,
                _ => self.a >> 16,
            };
            self.a = self.a.wrapping_add(self.memory[(index + 128) % SIZE]);
            let y = self.memory[(x >> 2) as usize % SIZE].wrapping_add(self.a).wrapping_add(self.b);
            self.memory[index] = y;
            self.b = self.memory[(y >> 10) as usize % SIZE].wrapping_add(x);
            self.results[index] = self.b;
        }
        self.left = SIZE;
    }
}

/// Stirs eight words once. The shifts alternate between left and right.
fn stir(words: &mut [u32; 8]) {
    const SHIFTS: [u32; 8] = [11, 2, 8, 16, 10, 4, 8, 9];
    for (index, shift) in SHIFTS.into_iter().enumerate() {
        let at = |ahead: usize| (index + ahead) % 8;
        let next = words[at(1)];
        words[index] ^= if index % 2 == 0 { next << shift } else { next >> shift };
        words[at(3)] = words[at(3)].wrapping_add(words[index]);
        words[at(1)] = next.wrapping_add(words[at(2)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        let first = |seed, count| -> alloc::vec::Vec<u32> {
            let mut stream = KeyStream::new(seed);
            (0..count).map(|_| stream.next_key()).collect()
        };
        assert_eq!(first(0, 2), [0x1826_00F3, 0x300B_4A8D]);
        assert_eq!(first(1, 4), [0x3816_8FDD, 0x173F_F3D7, 0x832D_DC13, 0xC429_1D70]);
        assert_eq!(first(0x99E7_7855, 2), [0xAD49_7DF3, 0x70FA_AA14]);
        assert_eq!(first(0xC838_24AB, 3), [0x1518_CF56, 0x5F2E_0E56, 0x73D5_86BF]);
        assert_eq!(first(0xFBD5_2C87, 2), [0x9FF3_700A, 0x4C44_23E8]);
        let words = first(0xDEAD_BEEF, 1_024);
        assert_eq!(words[..5], [0x5DA2_2D96, 0xDB3B_A3B6, 0x9FD9_67F9, 0x0748_7047, 0x0A8E_4664]);
        assert_eq!(words[254..259], [0xEA3F_7F77, 0x3643_EA82, 0x4D3C_FB7B, 0x8730_3BAA, 0x83B2_BB6F]);
        assert_eq!((words[511], words[512], words[1_023]), (0xCCE2_8044, 0x8D2C_C4C5, 0xCC27_84D4));
        // The two streams of a recorded session.
        assert_eq!(first(0x6A98_D361, 4), [0x1F47_83ED, 0x388A_0464, 0x0A16_B93F, 0x6EDE_2DA9]);
        assert_eq!(first(0x1C08_CCF5, 4), [0x3F2B_96BF, 0x3698_0152, 0x1966_F3EC, 0x005C_9D9C]);
    }
}
