#!/usr/bin/env python3
"""Tests of judge_people.py: small groups worked out by hand, and mistakes that it must notice."""

import csv
import os
import tempfile
import unittest

from judge_people import judge_people

POLICY = """
[columns.zip]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
[privacy]
"""


class People(unittest.TestCase):
    def judged(self, rows, promises, provider=None):
        """Rows are (zip, disease, who) or (zip, disease, who, site); checks by name, how many groups fail."""
        with tempfile.TemporaryDirectory() as folder:
            policy, table = os.path.join(folder, "policy.toml"), os.path.join(folder, "data.csv")
            with open(policy, "w", encoding="utf-8") as file:
                file.write(POLICY + promises)
            with open(table, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["zip", "disease", "who", "site"])
                writer.writerows([*row, "A"][:4] for row in rows)
            answer = judge_people(policy, table, "who", provider)
        return {check["name"]: check["failing"] for check in answer["checks"]}

    def test_rows_of_one_person_are_one(self):
        rows = [("1", "flu", "ann"), ("1", "flu", "ann"), ("1", "gout", "bob")]
        self.assertEqual(self.judged(rows, "k = 2")["k-anonymity"], 0)
        self.assertEqual(self.judged(rows, "k = 3")["k-anonymity"], 1)

    def test_a_person_in_two_groups_is_noticed(self):
        rows = [("1", "flu", "ann"), ("2", "flu", "ann"), ("1", "gout", "bob"), ("2", "gout", "eve")]
        self.assertEqual(self.judged(rows, "k = 2")["a-person-in-one-group"], 1)
        self.assertNotIn("a-person-in-one-group", self.judged(rows, 'k = 2\nrows = "apart"'))

    def test_everybody_has_one_value_in_common(self):
        rows = [("1", value, who) for who, values in
                {"ann": ["flu", "a"], "bob": ["flu", "b"], "eve": ["flu", "c"]}.items() for value in values]
        found = self.judged(rows, "l = { distinct = 2 }")
        self.assertEqual(found["distinct-l-diversity, hitting sets"], 1)
        self.assertEqual(found["distinct-l-diversity, counting reader"], 0)
        # weights alone are blind to it
        self.assertEqual(self.judged(rows, "l = { entropy = 2 }")["entropy-l-diversity"], 1)

    def test_who_counts_rows_learns_of_a_dominant_person(self):
        rows = [("1", "flu", "ann")] * 3 + [("1", "gout", "ann"), ("1", "cold", "bob")]
        found = self.judged(rows, "l = { distinct = 2 }\nmax_share_of_rows = 0.5")
        self.assertEqual(found["distinct-l-diversity, hitting sets"], 0)
        self.assertEqual(found["distinct-l-diversity, counting reader"], 1)
        self.assertEqual(found["max-share-of-rows"], 1)

    def test_missing_values_are_no_values_of_people(self):
        rows = [("1", "flu", "ann"), ("1", "?", "bob"), ("1", "", "eve")]
        self.assertEqual(self.judged(rows, "l = { distinct = 2 }")["distinct-l-diversity, hitting sets"], 1)

    def test_frequency_of_people_and_of_rows(self):
        common = [("1", "flu", "ann"), ("1", "flu", "bob"), ("1", "a", "eve")]
        rare = [("1", "b", "eve")] * 3
        self.assertEqual(self.judged(common + rare, "max_frequency = 0.5")["max-frequency"], 1)
        many_rows = [("1", "flu", "ann")] * 8 + [("1", v, v) for v in "abcd"]
        self.assertEqual(self.judged(many_rows, "max_frequency = 0.5")["max-frequency"], 1)
        even = [("1", v, v) for v in "abcd"]
        self.assertEqual(self.judged(even, "max_frequency = 0.25")["max-frequency"], 0)

    def test_closeness_by_weights_and_by_rows(self):
        rows = [("1", "a", "ann"), ("1", "b", "bob"), ("2", "a", "eve"), ("2", "b", "joe")]
        self.assertEqual(self.judged(rows, "t = { max = 0 }")["t-closeness"], 0)
        # the same people, one of them with many rows: weights agree, rows do not
        self.assertEqual(self.judged(rows + [("1", "a", "ann")] * 9, "t = { max = 0.1 }")["t-closeness"], 1)

    def test_a_shared_patient_is_known_to_both_sites(self):
        rows = [("1", "flu", "ann", "A"), ("1", "gout", "ann", "B"), ("1", "a", "bob", "B"), ("1", "b", "eve", "C")]
        # A knows Ann, so two are left; B knows Ann and Bob, so one is left
        self.assertEqual(self.judged(rows, "m = 1\nk = 2", "site")["k-anonymity"], 1)
        self.assertEqual(self.judged(rows, "m = 0\nk = 2", "site")["k-anonymity"], 0)
        # who knows rows only does not know Ann whole
        self.assertEqual(self.judged(rows, 'm = 1\nk = 2\nknows = "rows"', "site")["k-anonymity"], 0)


if __name__ == "__main__":
    unittest.main()
