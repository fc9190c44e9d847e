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
"""What paired measurements say."""

import random
from dataclasses import dataclass
from math import log
from statistics import median

TEST = (
    "Wilcoxon's signed-rank test, exact, two-sided, on the pairs' logarithms of the ratio, at 0.05; the interval is the"
    " percentile bootstrap's 95 % of the median ratio"
)
LEVEL = 0.05


@dataclass(frozen=True)
class Comparison:
    """How one series relates to another: the ratio, its interval, and the test's probability."""

    ratio: float
    low: float
    high: float
    probability: float
    pairs: int

    @property
    def significant(self):
        """Whether the difference is unlikely to be chance."""
        return self.probability < LEVEL

    def as_json(self):
        """The spread of a figure, and what else is known of it."""
        return {
            "spread": [self.low, self.high],
            "probability": self.probability,
            "count": self.pairs,
            "significant": self.significant,
        }


def compare(numerators, denominators, seed):
    """Compares paired measurements, which must be above 0: the ratio is the median of the pairs' ratios."""
    ratios = [one / other for one, other in zip(numerators, denominators, strict=True)]
    low, high = bootstrap(ratios, seed)
    return Comparison(median(ratios), low, high, wilcoxon([log(ratio) for ratio in ratios]), len(ratios))


def compare_means(numerators, denominators, seed):
    """As ``compare``, but the ratio is of the means, and so is its interval."""

    def ratio_of_means(pairs):
        return sum(one for one, _ in pairs) / sum(other for _, other in pairs)

    pairs = list(zip(numerators, denominators, strict=True))
    low, high = bootstrap(pairs, seed, ratio_of_means)
    probability = wilcoxon([log(one / other) for one, other in pairs])
    return Comparison(ratio_of_means(pairs), low, high, probability, len(pairs))


def bootstrap(values, seed, statistic=median, draws=2000):
    """The 95 % interval of a statistic by drawing the values again, with replacement (Efron 1979)."""
    choice = random.Random(seed)
    found = sorted(statistic(choice.choices(values, k=len(values))) for _ in range(draws))
    return found[int(0.025 * draws)], found[int(0.975 * draws) - 1]


def wilcoxon(differences):
    """The two-sided probability of differences as one-sided as these when their signs are chance (Wilcoxon 1945).

    Exact: all signs are counted. Zeros are left out; equal sizes share their mean rank.
    """
    sizes = sorted(abs(each) for each in differences if each)
    if not sizes:
        return 1.0
    # twice the rank, so that shared ranks are whole
    ranks = {size: 2 * sizes.index(size) + 1 + sizes.count(size) for size in sizes}
    positive = sum(ranks[abs(each)] for each in differences if each > 0)
    counts = {0: 1}
    for size in sizes:
        rank = ranks[size]
        shifted = {total + rank: count for total, count in counts.items()}
        counts = {total: counts.get(total, 0) + shifted.get(total, 0) for total in counts.keys() | shifted.keys()}
    extreme = min(positive, sum(ranks[size] for size in sizes) - positive)
    tail = sum(count for total, count in counts.items() if total <= extreme)
    return min(1.0, 2 * tail / 2 ** len(sizes))
