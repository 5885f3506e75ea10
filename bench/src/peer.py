"""Anonymizes a CSV file with anonypy: peer.py TABLE COLUMNS SENSITIVE K OUT."""
import sys

import anonypy
import pandas

table, columns, sensitive, k, out = sys.argv[1:]
columns = columns.split(",")
frame = pandas.read_csv(table)
for column in columns:
    if not pandas.api.types.is_numeric_dtype(frame[column]):
        frame[column] = frame[column].astype("category")
rows = anonypy.Preserver(frame, columns, sensitive).anonymize_k_anonymity(k=int(k))
pandas.DataFrame(rows).to_csv(out, index=False)
