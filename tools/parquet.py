"""Reads the Parquet files that a release has: flat tables of texts and whole numbers.

Plain Python, standard library only, so that checking a release needs nothing but this folder. What is read is what the
format's description says (Apache Parquet: Thrift's compact protocol, data pages of version 1 and 2, plain and
dictionary encoding, Snappy or no compression); anything else is refused by name.
"""

import struct

TYPES = {0: "boolean", 1: "int32", 2: "int64", 4: "float", 5: "double", 6: "byte_array"}
UNCOMPRESSED, SNAPPY = 0, 1
DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_2 = 0, 2, 3
PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY = 0, 2, 8
OPTIONAL = 1


class UnreadableParquet(Exception):
    """A file that is damaged, or that uses a part of the format that is not read here."""


class Bytes:
    """A place in a file, moving on."""

    def __init__(self, data, place=0):
        self.data, self.place = data, place

    def take(self, size):
        part = self.data[self.place : self.place + size]
        if size < 0 or len(part) < size:
            raise UnreadableParquet("the file ends too early")
        self.place += size
        return part

    def byte(self):
        return self.take(1)[0]

    def unsigned(self):
        """A number in groups of seven bits, the least first."""
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7
            if shift > 63:
                raise UnreadableParquet("a number is too long")

    def signed(self):
        number = self.unsigned()
        return (number >> 1) ^ -(number & 1)


# Thrift's compact protocol: a structure is read into a dict of field numbers.


def read_struct(source):
    fields, number = {}, 0
    while True:
        header = source.byte()
        kind = header & 0x0F
        if kind == 0:
            return fields
        step = header >> 4
        number = number + step if step else source.signed()
        fields[number] = read_value(source, kind)


def read_value(source, kind):
    if kind in (1, 2):
        return kind == 1
    if kind == 3:
        return struct.unpack("b", source.take(1))[0]
    if kind in (4, 5, 6):
        return source.signed()
    if kind == 7:
        return struct.unpack("<d", source.take(8))[0]
    if kind == 8:
        return bytes(source.take(source.unsigned()))
    if kind in (9, 10):
        header = source.byte()
        size, inner = header >> 4, header & 0x0F
        if size == 15:
            size = source.unsigned()
        if inner in (1, 2):
            return [source.byte() == 1 for _ in range(size)]
        return [read_value(source, inner) for _ in range(size)]
    if kind == 12:
        return read_struct(source)
    raise UnreadableParquet(f"a field of kind {kind}")


def unsnap(data):
    """Snappy: literals, and copies of what has come out already."""
    source = Bytes(data)
    size, out = source.unsigned(), bytearray()
    while source.place < len(data):
        tag = source.byte()
        kind = tag & 3
        if kind == 0:
            length = tag >> 2
            if length >= 60:
                length = int.from_bytes(source.take(length - 59), "little")
            out += source.take(length + 1)
            continue
        if kind == 1:
            length = ((tag >> 2) & 7) + 4
            back = (tag >> 5) << 8 | source.byte()
        else:
            length = (tag >> 2) + 1
            back = int.from_bytes(source.take(2 if kind == 2 else 4), "little")
        if not 0 < back <= len(out):
            raise UnreadableParquet("a copy from before the beginning")
        for _ in range(length):
            out.append(out[-back])
    if len(out) != size:
        raise UnreadableParquet("a page has another size than it says")
    return bytes(out)


def runs(source, width, count):
    """Numbers in runs of one value, or packed by `width` bits."""
    numbers, width_in_bytes = [], (width + 7) // 8
    while len(numbers) < count:
        header = source.unsigned()
        if header & 1:
            packed = int.from_bytes(source.take((header >> 1) * width), "little")
            for _ in range((header >> 1) * 8):
                numbers.append(packed & ((1 << width) - 1))
                packed >>= width
        else:
            value = int.from_bytes(source.take(width_in_bytes), "little")
            numbers += [value] * (header >> 1)
    return numbers[:count]


def plain(source, kind, count):
    if kind == "byte_array":
        texts = []
        for _ in range(count):
            length = int.from_bytes(source.take(4), "little")
            texts.append(source.take(length).decode("utf-8"))
        return texts
    if kind == "boolean":
        packed = source.take((count + 7) // 8)
        return [bool(packed[place // 8] >> (place % 8) & 1) for place in range(count)]
    letter = {"int32": "i", "int64": "q", "float": "f", "double": "d"}[kind]
    size = struct.calcsize("<" + letter)
    return list(struct.unpack(f"<{count}{letter}", source.take(count * size)))


class ColumnChunk:
    """The pages of one column in one group of rows."""

    def __init__(self, data, metadata, is_optional):
        self.data, self.is_optional = data, is_optional
        self.kind = TYPES.get(metadata[1])
        if self.kind is None:
            raise UnreadableParquet(f"a column of physical type {metadata[1]}")
        self.codec, self.count = metadata[4], metadata[5]
        if self.codec not in (UNCOMPRESSED, SNAPPY):
            raise UnreadableParquet(f"compression {self.codec}")
        self.start = metadata.get(11) or metadata[9]
        self.dictionary = None

    def values(self):
        source, found = Bytes(self.data, self.start), []
        while len(found) < self.count:
            header = read_struct(source)
            found += self.page(header, source.take(header[3]))
        return found

    def unpacked(self, page):
        return unsnap(page) if self.codec == SNAPPY else page

    def page(self, header, page):
        if header[1] == DICTIONARY_PAGE:
            self.dictionary = plain(Bytes(self.unpacked(page)), self.kind, header[7][1])
            return []
        if header[1] == DATA_PAGE:
            about = header[5]
            body = Bytes(self.unpacked(page))
            present = None
            if self.is_optional:
                levels = Bytes(body.take(int.from_bytes(body.take(4), "little")))
                present = runs(levels, 1, about[1])
            return self.encoded(body, about[2], about[1], present)
        if header[1] == DATA_PAGE_2:
            about = header[8]
            levels, behind = page[: about[5]], page[about[5] + about.get(6, 0) :]
            present = runs(Bytes(levels), 1, about[1]) if self.is_optional else None
            body = Bytes(self.unpacked(behind) if about.get(7, True) else behind)
            return self.encoded(body, about[4], about[1], present)
        raise UnreadableParquet(f"a page of kind {header[1]}")

    def encoded(self, body, encoding, rows, present):
        count = rows if present is None else sum(present)
        if encoding == PLAIN:
            values = plain(body, self.kind, count)
        elif encoding in (PLAIN_DICTIONARY, RLE_DICTIONARY):
            places = runs(body, body.byte(), count)
            values = [self.dictionary[place] for place in places]
        else:
            raise UnreadableParquet(f"encoding {encoding}")
        if present is None:
            return values
        rest = iter(values)
        return [next(rest) if is_there else None for is_there in present]


def read_parquet(path):
    """Names of columns → values."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < 12 or data[:4] != b"PAR1" or data[-4:] != b"PAR1":
        raise UnreadableParquet("no Parquet file")
    try:
        footer = int.from_bytes(data[-8:-4], "little")
        metadata = read_struct(Bytes(data, len(data) - 8 - footer))
        leaves = [entry for entry in metadata[2][1:]]
        table = {}
        for leaf in leaves:
            if leaf.get(5):
                raise UnreadableParquet("a nested column")
            table[leaf[4].decode("utf-8")] = []
        for group in metadata[4]:
            for leaf, chunk in zip(leaves, group[1], strict=True):
                values = ColumnChunk(data, chunk[3], leaf.get(3) == OPTIONAL).values()
                table[leaf[4].decode("utf-8")] += values
        return table
    except (KeyError, IndexError, TypeError, ValueError, struct.error) as error:
        raise UnreadableParquet("the file is damaged") from error
