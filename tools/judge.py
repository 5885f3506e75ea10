#!/usr/bin/env python3
"""Judges releases: recomputes what they lost and whether they keep their promises.

    tools/judge.py POLICY RELEASE…

POLICY names the original tables; a RELEASE is a folder that `mingle publish` wrote, its `public/` folder, or a CSV file
that any tool has made. Nothing else is read: no manifest, no audit, no figure of the program. The file shares no code
with the program and follows the definitions in docs/reference/measures.md and docs/reference/policy.md, so that two
independent hands arrive at the same figures or one of them is wrong.

What is computed: normalized certainty penalty (overall and by column), discernibility, average group size over k, mean
and median error of COUNT queries. Queries are drawn from the same seeded generator (ChaCha with 8 rounds), written
anew here, so they are the program's own questions and not only their like.

What is checked, each from its definition and for the outsider (who contributed a row is not published, so m > 0
cannot be judged from outside): k-anonymity, distinct, entropy and recursive l-diversity, max_frequency, t-closeness
with its three distances, the share of suppressed rows; that every sensitive value is published no more often than it
occurs; that the rows which a group's labels cover are enough for the group, in all and for each sensitive value; and
that every row of the original has a group that covers it, but for as many as were suppressed. (That a one-to-one
assignment of rows to groups exists follows from none of these; it is not searched for.)

What is not understood is refused by name: Parquet, workbooks, templates of code systems, centroids, fragments, noise.

Prints a JSON list, one object for each release. Exit code 0: all promises hold; 1: some do not; 2: refused.
Plain Python 3.11 or later, standard library only. Cost: O(rows × columns), and for queries O(2,500 × (rows / 8 bytes
+ distinct labels of the columns asked about)).
"""

import argparse
import csv
import datetime
import gzip
import itertools
import json
import math
import os
import re
import sys
import tomllib
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from decimal import Context, Decimal
from fractions import Fraction
from operator import mul

QUERIES = 2_500
ELLIPSIS = "…"
ROOT = "*"
EXACT = Context(prec=200)
csv.field_size_limit(1 << 30)


class Refused(Exception):
    """Something that this file does not understand, or that cannot be right."""


# ---------------------------------------------------------------------------------------------------------------------
# Numbers, days and bands as texts


NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
INTEGER = re.compile(r"(-?[1-9][0-9]*|0)")
DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-][0-9]{1,4})?")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def read_number(text):
    """The exact number that a text is, or None."""
    if not NUMBER.fullmatch(text):
        return None
    return Fraction(Decimal(text))


def decimal_places(text):
    """How many places behind the point the number of this text needs."""
    exponent = Decimal(text).normalize(EXACT).as_tuple().exponent
    return max(0, -exponent)


def number_text(number, places):
    """The one way to write a number: no trailing zeros, no exponent."""
    scaled = number * 10**places
    if scaled.denominator != 1:
        raise Refused("a number has more decimal places than its column")
    if places == 0:
        return str(scaled.numerator)
    text = format(Decimal(scaled.numerator).scaleb(-places, EXACT), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def read_day(text):
    """Days since 1970-01-01, or None."""
    if not DAY.fullmatch(text):
        return None
    try:
        return datetime.date.fromisoformat(text).toordinal() - 719_163
    except ValueError:
        return None


def day_text(day):
    return datetime.date.fromordinal(day + 719_163).isoformat()


class Band:
    """An interval of numbers or days. An end that is None is open; `with_low`, `with_high` say whether ends belong to it."""

    def __init__(self, low, high, with_low=True, with_high=True):
        self.low, self.high, self.with_low, self.with_high = low, high, with_low, with_high

    def contains(self, number):
        above = self.low is None or self.low < number or (self.with_low and self.low == number)
        below = self.high is None or number < self.high or (self.with_high and number == self.high)
        return above and below

    def is_before(self, other):
        if self.high is None or other.low is None:
            return False
        return self.high < other.low or (self.high == other.low and not (self.with_high and other.with_low))

    def overlaps(self, other):
        return not self.is_before(other) and not other.is_before(self)

    def is_point(self):
        return self.low is not None and self.low == self.high

    def place(self):
        """Sorts bands by their lower end."""
        if self.low is None:
            return (0, 0, 0)
        return (1, self.low, 0 if self.with_low else 1)


def read_band(text, of_days=False):
    """`70-79`, `[70-80)`, `<18`, `65+`, `≥65`, a number alone; days have `/` between them. None for anything else."""
    text = text.strip()

    def end(part):
        part = part.strip()
        if of_days:
            return read_day(part)
        return read_number(part) if re.fullmatch(r"[0-9.\-]+", part) else None

    alone = end(text)
    if alone is not None:
        return Band(alone, alone)
    for sign, is_low, included in (
        ("<=", False, True), ("≤", False, True), (">=", True, True), ("≥", True, True), ("<", False, False), (">", True, False),
    ):
        if text.startswith(sign):
            bound = end(text[len(sign):])
            if bound is None:
                return None
            return Band(bound, None, with_low=included) if is_low else Band(None, bound, with_high=included)
    if text.endswith("+"):
        bound = end(text[:-1])
        return None if bound is None else Band(bound, None)
    opened = {"[": True, "(": False}.get(text[:1])
    closed = {"]": True, ")": False}.get(text[-1:])
    if (opened is None) != (closed is None):
        return None
    inner = text if opened is None else text[1:-1]
    with_low, with_high = (True, True) if opened is None else (opened, closed)
    for at, character in enumerate(inner):
        if character not in ("/" if of_days else "-–,;"):
            continue
        low, high = end(inner[:at]), end(inner[at + 1:])
        # the first hyphen of -5-3 is a sign: only a place with a number on both sides divides
        if low is None or high is None:
            continue
        possible = low < high or (low == high and with_low and with_high)
        return Band(low, high, with_low, with_high) if possible else None
    return None


def day_label(text):
    """First and last day of `2001-03`, `2001-Q1`, `2001`, `2000s`; None for anything else."""
    match = re.fullmatch(r"([0-9]{4})(s|-Q[1-4]|-[0-9]{2})?", text)
    if not match:
        return None
    year, rest = int(match[1]), match[2] or ""
    first_month, months, years = 1, 12, 1
    if rest == "s":
        if year % 10:
            return None
        years = 10
    elif rest.startswith("-Q"):
        first_month, months = 3 * int(rest[2]) - 2, 3
    elif rest:
        first_month, months = int(rest[1:]), 1
        if not 1 <= first_month <= 12:
            return None
    last_year, last_month = year + years - 1, first_month + months - 1
    first = read_day(f"{year:04}-{first_month:02}-01")
    for last_day in (31, 30, 29, 28):
        last = read_day(f"{last_year:04}-{last_month:02}-{last_day:02}")
        if first is not None and last is not None:
            return first, last
    return None


# ---------------------------------------------------------------------------------------------------------------------
# Hierarchies: the labels above each value, from its parent up to the root


def hierarchy_paths(column, values, rule, folder):
    """Labels above every (text, number) of `values`, and the row of each value where the hierarchy is a file."""
    if isinstance(rule, str):
        return paths_of_file(column, values, os.path.join(folder, rule))
    known = {"mask", "intervals", "dates", "prefix", "bands", "age"}
    unknown = set(rule) - known
    if unknown or not rule:
        raise Refused(f"column {column.name}: a hierarchy by {', '.join(sorted(unknown)) or 'nothing'} is not known to the judge; "
                      "`mingle hierarchy propose --out` writes one as a file")
    return [[*labels_of_rule(column, text, number, rule, values), ROOT] for text, number in values], None


def labels_of_rule(column, text, number, rule, values):
    if "mask" in rule:
        # a level that hides the longest value whole would be the root by another name
        longest = max(len(other) for other, _ in values)
        width = min(rule["mask"], max(longest, 1) - 1)
        return [text[: max(0, len(text) - hidden)] + "*" * min(hidden, len(text)) for hidden in range(1, width + 1)]
    if "prefix" in rule:
        return [text[:length] + ELLIPSIS if len(text) >= length else text for length in rule["prefix"]]
    if "dates" in rule:
        names = ["month", "quarter", "year", "decade"]
        wanted = names if rule["dates"] is True else rule["dates"]
        year, month = text[:4], int(text[5:7])
        labels = {"month": text[:7], "quarter": f"{year}-Q{(month + 2) // 3}", "year": year, "decade": f"{year[:3]}0s"}
        return [labels[name] for name in names if name in wanted]
    if "intervals" in rule:
        labels = []
        for width in rule["intervals"]:
            width = Fraction(str(width))
            low = number // width * width
            labels.append(column.range_text(low, low + width - column.unit))
        return labels
    if "age" in rule:
        years = age_on(text, str(rule["age"]))
        labels = [f"age {years}"]
        for bounds in band_levels(rule.get("bands", []), is_days=False):
            labels.append("age " + band_label(Fraction(years), bounds, "integer", str))
        return labels
    is_days = column.kind == "date"
    write = day_text if is_days else lambda bound: number_text(bound, 30)
    return [band_label(number, bounds, column.kind, write) for bounds in band_levels(rule["bands"], is_days)]


def band_levels(bands, is_days):
    if not bands:
        return []
    levels = bands if isinstance(bands[0], list) else [bands]
    read = (lambda bound: read_day(str(bound))) if is_days else (lambda bound: Fraction(str(bound)))
    return [[read(bound) for bound in level] for level in levels]


def band_label(number, bounds, kind, write):
    """The band that holds a number; a bound belongs to the band above it, the outermost bands are open."""
    above = bisect_right(bounds, number)
    if above == 0:
        return f"<{write(bounds[0])}"
    if above == len(bounds):
        return f"≥{write(bounds[-1])}"
    low, following = bounds[above - 1], bounds[above]
    if kind == "decimal":
        return f"[{write(low)}-{write(following)})"
    between = "/" if kind == "date" else "-"
    last = following - 1
    return write(low) if low == last else f"[{write(low)}{between}{write(last)}]"


def age_on(born, day):
    """Whole years on a day; who is born on 29 February is a year older on 1 March of other years."""
    if read_day(born) > read_day(day):
        raise Refused("a date of birth lies after the day at which ages are taken")
    return int(day[:4]) - int(born[:4]) - (1 if day[5:] < born[5:] else 0)


def hierarchy_rows(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        text = file.read()
    first = text.split("\n", 1)[0]
    delimiter = next((d for d in ";,\t" if d in first), ";")
    rows = [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if row]
    if not rows or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        raise Refused(f"{path}: every row of a hierarchy needs the same number of levels, at least two")
    return rows


def code_range(leaf):
    """`A00-B99`: two codes of equal length. None for anything else."""
    first, dash, last = leaf.partition("-")
    if dash and first.isalnum() and last.isalnum() and len(first) == len(last) and first <= last:
        return first, last
    return None


def paths_of_file(column, values, path):
    rows = hierarchy_rows(path)
    numeric = column.kind != "category"
    by_text, by_number, bands, codes, default = {}, {}, [], [], None
    texts = {text for text, _ in values}
    # a text column whose values are written like ranges of the file holds no values inside of them
    ranges_are_values = any(code_range(row[0]) and row[0] in texts for row in rows)
    for place, row in enumerate(rows):
        leaf = row[0]
        if leaf == ROOT:
            default = place
            continue
        number = (read_day(leaf) if column.kind == "date" else read_number(leaf)) if numeric else None
        band = read_band(leaf, column.kind == "date") if numeric and number is None else None
        if number is not None:
            by_number.setdefault(number, place)
        if band is not None:
            bands.append((band, place))
        elif not numeric and not ranges_are_values and code_range(leaf):
            codes.append((code_range(leaf), place))
            continue
        if leaf in by_text:
            raise Refused(f"{path}: the leaf of row {place + 1} stands there twice")
        by_text[leaf] = place

    def row_of(text, number):
        if text in by_text:
            return by_text[text]
        if numeric and number in by_number:
            return by_number[number]
        for band, place in bands:
            if band.contains(number):
                return place
        for (first, last), place in codes:
            begin = text[: len(first)]
            if len(begin) == len(first) and first <= begin <= last:
                return place
        return None if set(text) == {"*"} else default

    above, places = [], []
    for text, number in values:
        place = row_of(text, number)
        if place is None:
            raise Refused(f"column {column.name}: {path} has no row for some value")
        above.append(rows[place][1:])
        places.append(place)
    missing_row = next((by_text[text] for text in column.missing_texts if text in by_text), None)
    beside = None if missing_row is None else rows[missing_row][1:]
    return above, (places, beside, rows[0][-1], missing_row)


# ---------------------------------------------------------------------------------------------------------------------
# A column: the values that occur in the original, in their order, and what a label says about them


class Reading:
    """What a label may stand for: ranges of codes, and the smallest and largest number where it has such."""

    def __init__(self, codes=None, ranges=None, bounds=None):
        if ranges is None:
            ranges = []
            for code in sorted(set(codes)):
                if ranges and ranges[-1][1] + 1 == code:
                    ranges[-1] = (ranges[-1][0], code)
                else:
                    ranges.append((code, code))
        self.ranges, self.bounds = ranges, bounds
        self.count = sum(hi - lo + 1 for lo, hi in ranges)

    def count_within(self, lo, hi):
        return sum(max(0, min(b, hi) - max(a, lo) + 1) for a, b in self.ranges)

    def covers(self, code):
        return any(lo <= code <= hi for lo, hi in self.ranges)


class Column:
    """The distinct values of a column. Code = place in `texts`: by number, by the hierarchy from left to right, by the
    policy's `order`, or by text; a missing value without a place of its own comes first."""

    def __init__(self, name, entry, raw_texts, missing_texts, folder):
        self.name, self.entry, self.missing_texts = name, entry, missing_texts
        present = sorted(text for text in raw_texts if text not in missing_texts)
        self.rule = entry.get("hierarchy")
        self.kind = self.settle_kind(present)
        self.places = max((decimal_places(text) for text in present), default=0) if self.kind == "decimal" else 0
        self.unit = Fraction(1, 10**self.places)
        values = {}
        for text in present:
            number = self.number_of(text)
            if self.kind != "category" and number is None:
                raise Refused(f"column {name}: a value is not of the kind {self.kind}")
            values.setdefault(text if self.kind == "category" else number, (self.canonical(text, number), number))
        values = self.in_order(list(values.values()))
        self.has_missing = len(present) < len(raw_texts)
        self.labels = {}
        self.attach_hierarchy(values, folder)
        self.code_by_text = {text: code for code, text in enumerate(self.texts)}
        in_numbers = [(number, code) for code, number in enumerate(self.numbers) if number is not None]
        self.sorted_numbers = sorted(in_numbers)
        self.extent = (self.sorted_numbers[0][0], self.sorted_numbers[-1][0]) if in_numbers else None

    def settle_kind(self, present):
        declared = self.entry.get("kind")
        rule = self.rule if isinstance(self.rule, dict) else {}
        if declared is None and ("prefix" in rule or "template" in rule):
            declared = "category"
        if declared is None and "age" in rule:
            declared = "date"
        if declared is not None:
            return "category" if declared == "band" else declared
        if not present:
            return "category"
        if all(INTEGER.fullmatch(text) for text in present):
            return "integer"
        if all(DECIMAL.fullmatch(text) for text in present):
            return "decimal"
        if all(read_day(text) is not None for text in present):
            return "date"
        return "category"

    def number_of(self, text):
        if self.kind == "category":
            return None
        return read_day(text) if self.kind == "date" else read_number(text)

    def canonical(self, text, number):
        if self.kind == "category":
            return text
        return day_text(number) if self.kind == "date" else number_text(number, self.places)

    def range_text(self, low, high):
        if low == high:
            return number_text(low, self.places)
        return f"[{number_text(low, self.places)}-{number_text(high, self.places)}]"

    def in_order(self, values):
        self.bands = None
        if self.kind != "category":
            self.is_ordered = True
            return sorted(values, key=lambda value: value[1])
        if "order" in self.entry:
            self.is_ordered = True
            rank = {text: place for place, text in enumerate(self.entry["order"])}
            if any(text not in rank for text, _ in values):
                raise Refused(f"column {self.name}: a value that `order` does not list")
            return sorted(values, key=lambda value: rank[value[0]])
        values = sorted(values)
        self.is_ordered = False
        declared = self.entry.get("kind")
        if declared not in (None, "band"):
            return values
        bands = [read_band(text) for text, _ in values]
        usable = bool(bands) and all(band is not None for band in bands)
        if usable and declared is None and all(band.is_point() for band in bands):
            usable = False
        if usable:
            together = sorted(zip(bands, values), key=lambda pair: pair[0].place())
            usable = all(first[0].is_before(second[0]) for first, second in itertools.pairwise(together))
        if not usable:
            if declared == "band":
                raise Refused(f"column {self.name}: not all values are bands that lie apart")
            return values
        self.is_ordered = True
        self.bands = {value[0]: band for band, value in together}
        return [value for _, value in together]

    def attach_hierarchy(self, values, folder):
        absent = [(self.missing_texts[0], None)] if self.has_missing else []
        self.levels = 0
        if self.rule is None or not values:
            values = absent + values
            self.texts, self.numbers = [text for text, _ in values], [number for _, number in values]
            self.missing = 0 if absent else None
            return
        above, from_file = hierarchy_paths(self, values, self.rule, folder)
        height = len(above[0])
        places = list(range(len(values)))
        root = ROOT
        beside = None
        if from_file:
            places, beside, root, missing_row = from_file
        if absent:
            # a missing value is no month and no interval: it meets the others only at the root
            own_branch = [self.missing_texts[0]] * (height - 1) + [root]
            above.insert(0, own_branch if beside is None else beside)
            places = [0 if beside is None else missing_row, *places]
        values = absent + values
        ranks = list(range(len(values)))
        if from_file and not self.is_ordered:
            ranks.sort(key=lambda place: places[place])
        first_leaf = [{} for _ in range(height)]
        for rank, place in enumerate(ranks):
            for level in range(height):
                first_leaf[level].setdefault(above[place][level], rank)
        keyed = []
        for rank, place in enumerate(ranks):
            key = [first_leaf[level][above[place][level]] for level in reversed(range(height))]
            keyed.append((key, rank, place))
        keyed.sort()
        order = [place for _, _, place in keyed]
        self.texts, self.numbers = [values[p][0] for p in order], [values[p][1] for p in order]
        self.missing = order.index(0) if absent else None
        self.levels = height
        self.paths = [above[place] for place in order]
        # the highest node of a label is what it means, the root whatever the file calls it
        for level in range(height):
            below = defaultdict(list)
            for code, place in enumerate(order):
                below[above[place][level]].append(code)
            self.labels.update(below)

    # reading labels, in the order that the format prescribes

    def read(self, text):
        for way in (self.of_hierarchy, self.of_stars, self.of_numbers, self.of_bands, self.of_set, self.of_mask, self.of_beginning):
            reading = way(text)
            if reading is not None:
                return reading
        code = self.single(text)
        if code is None:
            raise Refused(f"column {self.name}: a published label stands for no value of the original, or cannot be read")
        return self.of_codes([code])

    def of_codes(self, codes):
        numbers = [self.numbers[code] for code in codes if self.numbers[code] is not None]
        return Reading(codes, bounds=(min(numbers), max(numbers)) if numbers else None)

    def of_hierarchy(self, text):
        return self.of_codes(self.labels[text]) if text in self.labels else None

    def of_stars(self, text):
        if text and set(text) == {"*"}:
            return Reading(ranges=[(0, len(self.texts) - 1)], bounds=self.extent)
        return None

    def of_numbers(self, text):
        if self.kind == "category":
            return None
        span = self.number_span(text)
        if span is None and self.kind == "date":
            span = day_label(text)
        if span is None:
            return None
        low, high = span
        first = bisect_left(self.sorted_numbers, (low, -1))
        last = bisect_right(self.sorted_numbers, (high, len(self.texts)))
        return Reading([code for _, code in self.sorted_numbers[first:last]], bounds=(low, high))

    def number_span(self, text):
        """The numbers of `[a-b]`, `[a-b)`, `<a`, `≤a`, `>a`, `≥a`, `a+`; None for other labels."""
        bracketed = text[:1] == "[" and text[-1:] in ("]", ")")
        if not bracketed and text[:1] not in ("<", ">", "≤", "≥") and text[-1:] != "+":
            return None
        band = read_band(text, self.kind == "date")
        if band is None:
            return None
        low, high = self.extent or (0, 0)
        if band.low is not None:
            low = self.up(band.low, band.with_low)
        if band.high is not None:
            high = self.down(band.high, band.with_high)
        return low, high

    def up(self, number, included):
        """The smallest number at the column's places that is not below a bound."""
        steps = math.ceil(number / self.unit)
        return (steps if included or steps * self.unit > number else steps + 1) * self.unit

    def down(self, number, included):
        steps = math.floor(number / self.unit)
        return (steps if included or steps * self.unit < number else steps - 1) * self.unit

    def of_bands(self, text):
        if self.bands is None or self.rule is not None:
            return None
        label = read_band(text)
        if label is None:
            return None
        codes = [code for code, value in enumerate(self.texts) if value in self.bands and self.bands[value].overlaps(label)]
        return self.of_codes(codes) if codes else None

    def of_set(self, text):
        if not (text[:1] == "{" and text[-1:] == "}"):
            return None
        elements, at, inner = [""], 0, text[1:-1]
        while at < len(inner):
            if inner[at] == "|":
                elements.append("")
            else:
                at += inner[at] == "\\"
                elements[-1] += inner[at: at + 1]
            at += 1
        codes = [self.single(element) for element in elements]
        return None if None in codes else self.of_codes(codes)

    def of_mask(self, text):
        if "*" not in text:
            return None
        pattern = re.compile("".join("." if c == "*" else re.escape(c) for c in text), re.DOTALL)
        codes = [code for code, value in enumerate(self.texts) if code != self.missing and pattern.fullmatch(value)]
        return self.of_codes(codes) if codes else None

    def of_beginning(self, text):
        start = text[:-1]
        if text[-1:] != ELLIPSIS or not start or text in self.code_by_text:
            return None
        codes = [code for code, value in enumerate(self.texts) if code != self.missing and value.startswith(start)]
        return self.of_codes(codes) if codes else None

    def single(self, text):
        """The code of a value in any of its spellings; None if it does not occur."""
        if text in self.missing_texts:
            return self.missing
        if text in self.code_by_text:
            return self.code_by_text[text]
        number = self.number_of(text)
        if number is None:
            return None
        place = bisect_left(self.sorted_numbers, (number, -1))
        found = self.sorted_numbers[place: place + 1]
        return found[0][1] if found and found[0][0] == number else None

    def penalty(self, reading):
        """The normalized certainty penalty of a cell, between 0 and 1."""
        mixes_missing = reading.count > 1 and self.missing is not None and reading.covers(self.missing)
        if self.extent and reading.bounds and self.rule is None and not mixes_missing:
            whole = self.extent[1] - self.extent[0]
            part = reading.bounds[1] - reading.bounds[0]
            return float(min(max(Fraction(part) / whole, 0), 1)) if whole else 0.0
        return 0.0 if reading.count <= 1 else reading.count / len(self.texts)


# ---------------------------------------------------------------------------------------------------------------------
# Tables


def open_text(path, encoding="utf-8"):
    with open(path, "rb") as file:
        start = file.read(4)
    if start == b"PAR1" or start[:2] == b"PK":
        raise Refused(f"{path}: Parquet files and workbooks are not known to the judge; publish and keep tables as CSV")
    names = {"utf-8": "utf-8-sig", "windows-1252": "cp1252", "latin-1": "latin-1", "utf-16": "utf-16", "utf-16le": "utf-16-le",
             "utf-16be": "utf-16-be"}
    opener = gzip.open if start[:2] == b"\x1f\x8b" else open
    return opener(path, "rt", encoding=names[encoding], newline="")


def read_csv(path, options):
    """Names of the columns, and the rows."""
    with open_text(path, options.get("encoding", "utf-8")) as file:
        text = file.read()
    if text.lstrip()[:1] == "{":
        return read_json_lines(text)
    first = text.split("\n", 1)[0]
    delimiter = options.get("delimiter") or max(",;\t|", key=first.count)
    rows = [row for row in csv.reader(text.splitlines(keepends=True), delimiter=delimiter) if row]
    if options.get("header") is False:
        return list(options["names"]), rows
    return rows[0], rows[1:]


def read_json_lines(text):
    records = [json.loads(line, parse_float=str, parse_int=str) for line in text.splitlines() if line.strip()]
    names = list(dict.fromkeys(name for record in records for name in record))

    def cell(value):
        if value is None:
            return ""
        return str(value).lower() if isinstance(value, bool) else value

    return names, [[cell(record.get(name)) for name in names] for record in records]


def one_form(text, entry, options):
    """A provider's own way of writing decimals and days, brought to the one form."""
    kind = entry.get("kind")
    if kind == "decimal" and options.get("decimal") == ",":
        return text.replace(",", ".")
    pattern = options.get("date_format")
    if kind == "date" and pattern:
        pattern = pattern.split(" ")[0].split("T")[0]
        places = {part: pattern.find(part) for part in ("yyyy", "mm", "dd")}
        year, month, day = (text[places[part]: places[part] + len(part)] for part in ("yyyy", "mm", "dd"))
        return f"{year}-{month}-{day}"
    return text


class Original:
    """The original rows: texts by column, all providers together."""

    def __init__(self, policy, folder):
        data = policy["data"]
        self.missing = list(data.get("missing", ["", "?"]))
        self.entries = {name: entry for name, entry in policy["columns"].items() if entry["role"] not in ("identifier", "drop")}
        sources = data.get("providers") or [{"path": data["path"]}]
        self.texts = {name: [] for name in self.entries}
        for source in sources:
            self.take(os.path.join(folder, source["path"]), {**data, **source}, source.get("missing", []))
        self.rows = len(next(iter(self.texts.values()), []))
        self.columns, self.codes = {}, {}
        for name, entry in self.entries.items():
            if entry["role"] == "insensitive":
                continue
            column = Column(name, entry, set(self.texts[name]), self.missing, folder)
            code_of = {text: column.single(text) for text in set(self.texts[name])}
            self.columns[name], self.codes[name] = column, [code_of[text] for text in self.texts[name]]
        self.quasi = [name for name, entry in self.entries.items() if entry["role"] == "quasi-identifier"]
        self.sensitive = [name for name, entry in self.entries.items() if entry["role"] == "sensitive"]

    def take(self, path, options, own_missing):
        header, rows = read_csv(path, options)
        renamed = options.get("columns", {})
        place = {renamed.get(name, name): at for at, name in enumerate(header)}
        for name, entry in self.entries.items():
            if name not in place and not entry.get("optional"):
                raise Refused(f"{path}: no column {name}")
            at = place.get(name)
            for row in rows:
                text = "" if at is None else row[at]
                if text in own_missing or text in self.missing:
                    text = self.missing[0]
                else:
                    text = one_form(text, entry, options)
                self.texts[name].append(text)


FORMULA = tuple("=+-@\t\r\n＝＋－＠")
PART = re.compile(r"[^;\t]*[;\t]|[^;\t]+")


def unguard(text):
    """Cells, and parts of cells between semicolons and tabs, that a spreadsheet would run have an apostrophe before them."""
    if "'" not in text:
        return text
    return "".join(part[1:] if part.startswith("'") and would_run(part[1:]) else part for part in PART.findall(text))


def is_invisible(character):
    """Formatting characters, variation selectors and the like."""
    return unicodedata.category(character) == "Cf" or character == "\u034f" or "\ufe00" <= character <= "\ufe0f"


def would_run(part):
    part = part.lstrip("'")
    seen = part.lstrip()
    while seen and (seen[0].isspace() or is_invisible(seen[0])):
        seen = seen[1:]
    return part.startswith(FORMULA) or seen.startswith(FORMULA)


class Release:
    """The published rows, by group: equal texts in all quasi-identifiers are one group."""

    def __init__(self, original, path):
        header, rows = read_csv(published_file(path), {"delimiter": ","})
        self.path = path
        for name in original.quasi + original.sensitive:
            if name not in header:
                raise Refused(f"{path}: no column {name}")
        at = [header.index(name) for name in original.quasi]
        self.groups = defaultdict(list)
        for row in rows:
            self.groups[tuple(unguard(row[place]) for place in at)].append(row)
        self.rows = len(rows)
        self.sizes = [len(members) for members in self.groups.values()]
        self.label_numbers, self.readings = [], []
        for place, name in enumerate(original.quasi):
            numbers, readings = {}, []
            for labels in self.groups:
                if labels[place] not in numbers:
                    numbers[labels[place]] = len(readings)
                    readings.append(original.columns[name].read(labels[place]))
            self.readings.append(readings)
            self.label_numbers.append([numbers[labels[place]] for labels in self.groups])
        # sensitive values of each group: code -> rows
        self.values = {}
        for name in original.sensitive:
            place, column = header.index(name), original.columns[name]
            code_of = {}
            self.values[name] = []
            for members in self.groups.values():
                counts = Counter()
                for row in members:
                    text = unguard(row[place])
                    if text not in code_of:
                        code_of[text] = column.single(text)
                        if code_of[text] is None:
                            raise Refused(f"{path}: column {name} holds a value that the original does not have")
                    counts[code_of[text]] += 1
                self.values[name].append(counts)


def published_file(path):
    if os.path.isfile(path):
        return path
    for folder in (os.path.join(path, "public"), path):
        found = os.path.join(folder, "data.csv")
        if os.path.isfile(found):
            return found
    raise Refused(f"{path}: no data.csv; fragments, Parquet and releases with noise are not known to the judge")


# ---------------------------------------------------------------------------------------------------------------------
# Measures


def certainty_penalty(original, release):
    """Normalized certainty penalty by column, and the mean over columns."""
    suppressed = original.rows - release.rows
    by_column = {}
    for place, name in enumerate(original.quasi):
        penalties = [original.columns[name].penalty(reading) for reading in release.readings[place]]
        lost = math.fsum(penalties[label] * size for label, size in zip(release.label_numbers[place], release.sizes))
        by_column[name] = (lost + suppressed) / original.rows if original.rows else 0.0
    overall = math.fsum(by_column.values()) / len(by_column) if by_column else 0.0
    return {"overall": overall, "columns": by_column}


def discernibility(original, release):
    return sum(size * size for size in release.sizes) + (original.rows - release.rows) * original.rows


class ChaCha8:
    """Bernstein's ChaCha with 8 rounds; the 256-bit key is drawn from a 64-bit seed by a PCG32 generator."""

    def __init__(self, seed):
        state, key = seed, []
        for _ in range(8):
            state = (state * 6364136223846793005 + 11634580027462260723) & (2**64 - 1)
            shifted = (((state >> 18) ^ state) >> 27) & 0xFFFFFFFF
            turn = state >> 59
            key.append((shifted >> turn | shifted << (32 - turn)) & 0xFFFFFFFF)
        self.key, self.counter, self.words = key, 0, []

    def block(self):
        mask = 0xFFFFFFFF
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *self.key, self.counter & mask, self.counter >> 32, 0, 0]
        x = list(start)
        self.counter += 1
        quarters = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
        for _ in range(4):
            for a, b, c, d in quarters:
                for turn_d, turn_b in ((16, 12), (8, 7)):
                    x[a] = x[a] + x[b] & mask
                    mixed = x[d] ^ x[a]
                    x[d] = (mixed << turn_d | mixed >> (32 - turn_d)) & mask
                    x[c] = x[c] + x[d] & mask
                    mixed = x[b] ^ x[c]
                    x[b] = (mixed << turn_b | mixed >> (32 - turn_b)) & mask
        return [one + other & mask for one, other in zip(x, start)]

    def below(self, bound):
        """A uniform number below a bound, without bias."""
        unbiased = (2**64 - 1) - (2**64 - 1) % bound
        while True:
            if not self.words:
                self.words = self.block()[::-1]
            low = self.words.pop()
            drawn = low | self.words.pop() << 32
            if drawn < unbiased:
                return drawn % bound


def draw_queries(values, queries, seed):
    """Conjunctions of ranges of codes: lists of (column, lo, hi)."""
    random = ChaCha8(seed)
    q = len(values)
    fewest, most = min(q, 2), min(q, max(q // 2, 2))
    drawn = []
    for _ in range(queries):
        width = fewest + random.below(most - fewest + 1)
        columns = list(range(q))
        for at in range(width):
            other = at + random.below(q - at)
            columns[at], columns[other] = columns[other], columns[at]
        query = []
        for column in sorted(columns[:width]):
            one, other = random.below(values[column]), random.below(values[column])
            query.append((column, min(one, other), max(one, other)))
        drawn.append(query)
    return drawn


class RowSets:
    """Which rows have a code within a range, as the bits of one large integer."""

    CHECKPOINTS = 256

    def __init__(self, codes, values):
        self.rows_of = [[] for _ in range(values)]
        for row, code in enumerate(codes):
            self.rows_of[code].append(row)
        self.bytes = (len(codes) + 7) // 8
        # rows below the first code of every block; within a block bits are set one by one
        self.step = max(1, -(-values // self.CHECKPOINTS))
        self.below = [0]
        for first in range(0, values, self.step):
            self.below.append(self.below[-1] | self.bits(first, first + self.step - 1))

    def bits(self, lo, hi):
        held = bytearray(self.bytes)
        for rows in self.rows_of[lo: hi + 1]:
            for row in rows:
                held[row >> 3] |= 1 << (row & 7)
        return int.from_bytes(held, "little")

    def rows_below(self, code):
        block = code // self.step
        first = block * self.step
        below = self.below[min(block, len(self.below) - 1)]
        return below if first >= code else below | self.bits(first, code - 1)

    def between(self, lo, hi):
        return self.rows_below(hi + 1) ^ self.rows_below(lo)


class Questions:
    """The queries and their true answers, which all releases of one original share."""

    def __init__(self, original, row_sets, queries, seed):
        asked = queries if original.rows and original.quasi else 0
        self.queries = draw_queries([len(original.columns[name].texts) for name in original.quasi], asked, seed)
        self.truth = []
        for query in self.queries:
            rows = None
            for column, lo, hi in query:
                held = row_sets[original.quasi[column]].between(lo, hi)
                rows = held if rows is None else rows & held
            self.truth.append(rows.bit_count())

    def errors(self, original, release):
        by_columns = defaultdict(list)
        for number, query in enumerate(self.queries):
            by_columns[tuple(column for column, _, _ in query)].append(number)
        errors = [0.0] * len(self.queries)
        for columns, asked in by_columns.items():
            # groups whose labels in these columns are alike answer alike
            sizes = Counter()
            for labels, size in zip(zip(*(release.label_numbers[column] for column in columns)), release.sizes):
                sizes[labels] += size
            lines = list(zip(*sizes)) if sizes else [[] for _ in columns]
            weights = list(sizes.values())
            for number in asked:
                products = weights
                for labels, (column, lo, hi) in zip(lines, self.queries[number]):
                    shares = [r.count_within(lo, hi) / r.count if r.count else 0.0 for r in release.readings[column]]
                    products = list(map(mul, products, map(shares.__getitem__, labels)))
                truth = self.truth[number]
                errors[number] = abs(math.fsum(products) - truth) / max(truth, original.rows / 1000)
        return errors


def mean_and_median(errors):
    if not errors:
        return {"mean": 0.0, "median": 0.0}
    ordered, half = sorted(errors), len(errors) // 2
    median = ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
    return {"mean": math.fsum(errors) / len(errors), "median": median}


# ---------------------------------------------------------------------------------------------------------------------
# Promises, from their definitions


def promises_of(policy, name):
    """`l`, `t` and `max_frequency` for one sensitive column."""
    privacy = policy.get("privacy", {})
    general = {key: privacy[key] for key in ("l", "t", "max_frequency") if key in privacy}
    return {**general, **privacy.get("sensitive", {}).get(name, {})}


def exact(number):
    return Fraction(str(number))


def has_entropy(counts, l):
    """Whether the entropy is at least log l; decided by whole numbers where floating point is too close to call."""
    size = sum(counts)
    entropy = math.log(size) - math.fsum(count * math.log(count) for count in counts) / size
    if abs(entropy - math.log(l)) > 1e-9:
        return entropy > math.log(l)
    product = math.prod(count**count for count in counts)
    return (size * l.denominator) ** size >= l.numerator**size * product


def closeness(column, group, table, distance):
    """The earth mover's distance between a group's values and the table's."""
    size, rows = sum(group.values()), sum(table.values())
    difference = {code: Fraction(group.get(code, 0), size) - Fraction(table[code], rows) for code in table}
    if distance == "equal":
        return sum(abs(d) for d in difference.values()) / 2
    if distance == "ordered":
        order = sorted(table, key=lambda code: -1 if code == column.missing else column_rank(column, code))
        crossing, moved = Fraction(0), Fraction(0)
        for code in order[:-1]:
            crossing += difference[code]
            moved += abs(crossing)
        return moved / (len(order) - 1) if len(order) > 1 else Fraction(0)
    if distance == "hierarchical" and column.levels:
        moved = sum(abs(d) for d in difference.values())
        for level in range(column.levels - 1):
            at_node = defaultdict(Fraction)
            for code, d in difference.items():
                at_node[tuple(column.paths[code][level:])] += d
            moved += sum(abs(d) for d in at_node.values())
        return moved / (2 * column.levels)
    raise Refused(f"column {column.name}: the distance {distance} needs something that the column does not have")


def column_rank(column, code):
    return code if column.numbers[code] is None else column.numbers[code]


def check_values(original, release, policy, name):
    """What the policy promises about one sensitive column: (constraint, parameter, groups that fail)."""
    column, groups = original.columns[name], release.values[name]
    promised = promises_of(policy, name)
    l = promised.get("l", {})
    found = []
    if "distinct" in l:
        fails = sum(sum(code != column.missing for code in counts) < l["distinct"] for counts in groups)
        found.append(("distinct-l-diversity", l["distinct"], fails))
    if "entropy" in l:
        fails = sum(not has_entropy(list(counts.values()), exact(l["entropy"])) for counts in groups)
        found.append(("entropy-l-diversity", l["entropy"], fails))
    if "recursive" in l:
        c, least = exact(l["recursive"]["c"]), l["recursive"]["l"]
        fails = 0
        for counts in groups:
            descending = sorted(counts.values(), reverse=True)
            fails += not descending[0] < c * sum(descending[least - 1:])
        found.append(("recursive-l-diversity", l["recursive"], fails))
    if "max_frequency" in promised:
        most = exact(promised["max_frequency"])
        fails = sum(Fraction(max(counts.values()), sum(counts.values())) > most for counts in groups)
        found.append(("max-frequency", promised["max_frequency"], fails))
    if "t" in promised:
        table = Counter()
        for counts in groups:
            table.update(counts)
        most = exact(promised["t"]["max"])
        distance = promised["t"].get("distance", "equal")
        fails = sum(closeness(column, counts, table, distance) > most for counts in groups)
        found.append(("t-closeness", promised["t"], fails))
    return found


def check_promises(original, release, policy):
    checks = []
    k = policy.get("privacy", {}).get("k")
    if k is not None:
        checks.append(verdict("k-anonymity", None, k, sum(size < k for size in release.sizes)))
    for name in original.sensitive:
        for constraint, parameter, fails in check_values(original, release, policy, name):
            checks.append(verdict(constraint, name, parameter, fails))
    most = exact(policy.get("method", {}).get("max_suppressed", 0))
    suppressed = original.rows - release.rows
    too_many = suppressed < 0 or suppressed > most * original.rows
    checks.append(verdict("suppressed-rows", None, float(most), int(too_many)))
    return checks


def verdict(name, column, parameter, fails):
    return {"name": name, "column": column, "parameter": parameter, "failing": fails, "holds": fails == 0}


def check_truth(original, release, row_sets):
    """Whether labels can be true: who is covered, and how often values occur."""
    overfull, covered = 0, 0
    everybody = (1 << original.rows) - 1
    label_rows = [[None] * len(readings) for readings in release.readings]
    for group, size in enumerate(release.sizes):
        rows = everybody
        for place, name in enumerate(original.quasi):
            label = release.label_numbers[place][group]
            held = label_rows[place][label]
            if held is None:
                held = 0
                for lo, hi in release.readings[place][label].ranges:
                    held |= row_sets[name].between(lo, hi)
                # few labels stand for many groups: those are kept, single ones are not worth their memory
                if len(release.readings[place]) * row_sets[name].bytes < 1 << 28:
                    label_rows[place][label] = held
            rows &= held
        covered |= rows
        enough = rows.bit_count() >= size
        for name in original.sensitive:
            for code, count in release.values[name][group].items():
                enough = enough and (rows & row_sets[name].between(code, code)).bit_count() >= count
        overfull += not enough
    checks = [verdict("labels-cover-their-rows", None, None, overfull)]
    homeless = original.rows - covered.bit_count()
    checks.append(verdict("every-row-has-a-group", None, None, max(0, homeless - max(0, original.rows - release.rows))))
    for name in original.sensitive:
        published, occurs = Counter(), Counter(original.codes[name])
        for counts in release.values[name]:
            published.update(counts)
        more_often = sum(count > occurs[code] for code, count in published.items())
        checks.append(verdict("sensitive-values-as-they-occur", name, None, more_often))
    return checks


# ---------------------------------------------------------------------------------------------------------------------


def refuse_what_is_unknown(policy):
    if "dp" in policy:
        raise Refused("releases with noise are not known to the judge")
    if policy.get("method", {}).get("output") == "centroid":
        raise Refused("releases by centroids are not known to the judge")
    if policy.get("release", {}).get("fragmented"):
        raise Refused("fragmented releases are not known to the judge")
    if policy.get("privacy", {}).get("joint"):
        raise Refused("`joint` is not known to the judge")
    if "person" in policy.get("data", {}):
        raise Refused("people with several rows are not known to the judge")


def judge(policy_path, releases, queries=QUERIES, truth=True):
    """One object for each release, see the top of this file."""
    with open(policy_path, "rb") as file:
        policy = tomllib.load(file)
    refuse_what_is_unknown(policy)
    original = Original(policy, os.path.dirname(policy_path))
    row_sets = {name: RowSets(original.codes[name], len(column.texts)) for name, column in original.columns.items()}
    seed = policy.get("method", {}).get("seed", 0)
    questions = Questions(original, row_sets, queries, seed)
    answers = []
    for path in releases:
        release = Release(original, path)
        k = policy.get("privacy", {}).get("k", 1)
        checks = check_promises(original, release, policy)
        if truth:
            checks += check_truth(original, release, row_sets)
        answers.append({
            "release": path,
            "rows": original.rows,
            "published_rows": release.rows,
            "suppressed_rows": original.rows - release.rows,
            "groups": len(release.sizes),
            "ncp": certainty_penalty(original, release),
            "discernibility": discernibility(original, release),
            "average_group_size": release.rows / len(release.sizes) / max(k, 1) if release.sizes else 0.0,
            "query_error": {**mean_and_median(questions.errors(original, release)), "queries": queries, "seed": seed},
            "holds": all(check["holds"] for check in checks),
            "checks": checks,
        })
    return answers


def main():
    parser = argparse.ArgumentParser(description="Recompute what releases lost and whether they keep their promises.")
    parser.add_argument("policy", help="the policy that names the original tables")
    parser.add_argument("releases", nargs="+", metavar="RELEASE", help="a release's folder, or a CSV file")
    parser.add_argument("--queries", type=int, default=QUERIES, help="how many COUNT queries (2500)")
    parser.add_argument("--no-truth", action="store_true", help="leave out whether labels cover the original's rows")
    arguments = parser.parse_args()
    try:
        answers = judge(arguments.policy, arguments.releases, arguments.queries, not arguments.no_truth)
    except (Refused, OSError, tomllib.TOMLDecodeError) as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    json.dump(answers, sys.stdout, indent=1)
    print()
    return 0 if all(answer["holds"] for answer in answers) else 1


if __name__ == "__main__":
    sys.exit(main())
