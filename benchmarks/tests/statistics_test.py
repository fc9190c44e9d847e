# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
# http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

import itertools
import random
import unittest

from benchmarks.harness.statistics import bootstrap, compare, compare_means, wilcoxon


def by_trying_all_signs(differences):
    """The test's probability by its definition: ranks summed for every choice of signs."""
    sizes = sorted(abs(each) for each in differences if each)
    rank = {size: sum(1 for each in sizes if each < size) + (sizes.count(size) + 1) / 2 for size in sizes}
    whole = sum(rank[size] for size in sizes)
    positive = sum(rank[abs(each)] for each in differences if each > 0)
    extreme = min(positive, whole - positive)
    sums = [sum(rank[s] for s, sign in zip(sizes, signs) if sign) for signs in itertools.product((0, 1), repeat=len(sizes))]
    return min(1.0, 2 * sum(total <= extreme for total in sums) / len(sums))


class WilcoxonTest(unittest.TestCase):
    def test_is_that_of_the_published_tables(self):
        # all of one sign: 2 / 2^n
        self.assertAlmostEqual(wilcoxon([1, 2, 3, 4, 5, 6]), 2 / 64)
        # n = 10, W = 8: the table's two-sided 0.05 is reached by W <= 8
        self.assertAlmostEqual(wilcoxon([-8, 1, 2, 3, 4, 5, 6, 7, 9, 10]), 0.048828125)

    def test_is_what_trying_all_signs_gives(self):
        choice = random.Random(5)
        for number in range(200):
            differences = [choice.randint(-4, 4) for _ in range(choice.randint(1, 9))]
            if any(differences):
                self.assertAlmostEqual(wilcoxon(differences), by_trying_all_signs(differences), msg=f"{number}: {differences}")

    def test_says_nothing_without_a_difference(self):
        self.assertEqual(wilcoxon([0, 0]), 1.0)
        self.assertEqual(wilcoxon([]), 1.0)


class ComparisonTest(unittest.TestCase):
    def test_a_clear_difference(self):
        found = compare([1, 1.1, 0.9, 1, 1.2, 1, 1.1], [2, 2.2, 2.1, 1.9, 2, 2.1, 2], seed=1)
        self.assertTrue(found.significant)
        self.assertAlmostEqual(found.ratio, 0.5, places=1)
        self.assertTrue(found.low <= found.ratio <= found.high < 0.7, found)

    def test_chance(self):
        found = compare([1, 2, 1, 2, 1, 2, 1.5], [2, 1, 2, 1, 2, 1, 1.5], seed=1)
        self.assertFalse(found.significant)
        self.assertTrue(found.low < 1 < found.high, found)

    def test_few_pairs_never_count_as_significant(self):
        self.assertFalse(compare([1] * 5, [9] * 5, seed=1).significant)
        self.assertTrue(compare([1] * 6, [9] * 6, seed=1).significant)

    def test_the_interval_comes_again_with_the_seed_and_holds_the_median(self):
        values = [3, 1, 4, 1, 5, 9, 2, 6]
        self.assertEqual(bootstrap(values, 7), bootstrap(values, 7))
        low, high = bootstrap(values, 7)
        self.assertTrue(1 <= low <= 3.5 <= high <= 9, (low, high))

    def test_means_have_an_interval_of_means(self):
        ours, stock = [1, 1, 1, 1, 1, 1, 9], [4, 4, 4, 4, 4, 4, 4]
        found = compare_means(ours, stock, seed=1)
        self.assertAlmostEqual(found.ratio, 15 / 28)
        self.assertTrue(found.low <= found.ratio <= found.high, found)
        self.assertEqual(found.probability, compare(ours, stock, seed=1).probability)

    def test_pairs_must_be_pairs(self):
        with self.assertRaises(ValueError):
            compare([1, 2], [1], seed=1)
