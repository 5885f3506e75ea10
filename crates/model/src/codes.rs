//! Codes of a column's values in the narrowest width that fits.

/// A value's place in its column's [`Domain`](crate::Domain).
pub type Code = u32;

/// One code per row, in one, two or four bytes.
///
/// The width follows the largest code pushed so far, so that a reader that does not know the domain
/// yet can push provisional ids and still use little memory.
#[derive(Clone, PartialEq, Eq)]
pub enum Codes {
    /// At most 256 values.
    U8(Vec<u8>),
    /// At most 65,536 values.
    U16(Vec<u16>),
    /// Anything larger.
    U32(Vec<u32>),
}

impl Default for Codes {
    fn default() -> Self {
        Codes::U8(Vec::new())
    }
}

impl Codes {
    /// No codes yet, with room for `rows` of them in the width that `values` distinct values need.
    pub fn with_capacity(values: usize, rows: usize) -> Self {
        match values {
            0..=0x100 => Codes::U8(Vec::with_capacity(rows)),
            0x101..=0x1_0000 => Codes::U16(Vec::with_capacity(rows)),
            _ => Codes::U32(Vec::with_capacity(rows)),
        }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        match self {
            Codes::U8(v) => v.len(),
            Codes::U16(v) => v.len(),
            Codes::U32(v) => v.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of one row.
    #[inline]
    pub fn get(&self, row: usize) -> Code {
        match self {
            Codes::U8(v) => v[row].into(),
            Codes::U16(v) => v[row].into(),
            Codes::U32(v) => v[row],
        }
    }

    /// Appends a code, widening the whole column when it does not fit.
    #[inline]
    pub fn push(&mut self, code: Code) {
        match self {
            Codes::U8(v) if code <= 0xff => v.push(code as u8),
            Codes::U16(v) if code <= 0xffff => v.push(code as u16),
            Codes::U32(v) => v.push(code),
            _ => {
                self.widen(code);
                self.push(code);
            }
        }
    }

    #[cold]
    fn widen(&mut self, code: Code) {
        *self = match std::mem::take(self) {
            Codes::U8(v) if code <= 0xffff => Codes::U16(v.into_iter().map(u16::from).collect()),
            Codes::U8(v) => Codes::U32(v.into_iter().map(u32::from).collect()),
            Codes::U16(v) => Codes::U32(v.into_iter().map(u32::from).collect()),
            wide => wide,
        };
    }

    /// Appends `map[code]` for every code of `other`.
    pub fn extend_mapped(&mut self, other: &Codes, map: &[Code]) {
        match (&mut *self, other) {
            // the common case at scale: both narrow, no widening possible
            (Codes::U8(to), Codes::U8(from)) if map.iter().all(|&c| c <= 0xff) => {
                to.extend(from.iter().map(|&c| map[usize::from(c)] as u8));
            }
            _ => other.iter().for_each(|c| self.push(map[c as usize])),
        }
    }

    /// All codes in row order.
    pub fn iter(&self) -> impl Iterator<Item = Code> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }
}

impl FromIterator<Code> for Codes {
    fn from_iter<I: IntoIterator<Item = Code>>(codes: I) -> Self {
        let mut all = Codes::default();
        codes.into_iter().for_each(|c| all.push(c));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widens_as_codes_grow_and_keeps_what_was_there() {
        let given = [0, 255, 256, 65_535, 65_536, 7];
        let codes: Codes = given.into_iter().collect();
        assert!(matches!(codes, Codes::U32(_)));
        assert!(codes.iter().eq(given));
        assert!(matches!([255].into_iter().collect(), Codes::U8(_)));
        assert!(matches!([256].into_iter().collect(), Codes::U16(_)));
    }

    #[test]
    fn a_map_may_need_more_room_than_the_codes() {
        let mut to: Codes = [1].into_iter().collect();
        to.extend_mapped(&[0, 1].into_iter().collect(), &[300, 2]);
        assert!(to.iter().eq([1, 300, 2]));
    }
}
