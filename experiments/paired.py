"""Differences of two settings on the same splits or seeds: what all of them have in common cancels out."""
import dataclasses
import math
import statistics

# Two-sided quantiles of Student's t at 0.95, by degrees of freedom; beyond the last, that of the normal distribution.
QUANTILES = [math.inf, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145]
NORMAL = 1.960


@dataclasses.dataclass
class Difference:
    """A mean and its standard error, from n pairs; the error of a single pair is unknown unless it is estimated elsewhere."""

    mean: float
    error: float
    n: int
    quantile: float

    @property
    def is_significant(self):
        return abs(self.mean) > self.quantile * self.error and self.error > 0.0

    def text(self, scale=1.0, digits=4):
        error = "" if math.isnan(self.error) else f" ± {scale * self.error:.{digits}f}"
        return f"{scale * self.mean:+.{digits}f}{error}" + (" *" if self.is_significant else "")


def difference(first, second):
    """Of two dictionaries of values by split: first minus second on the splits that both have; None if there are none."""
    common = [split for split in first if split in second]
    if not common:
        return None
    each = [first[split] - second[split] for split in common]
    n = len(each)
    error = statistics.stdev(each) / math.sqrt(n) if n > 1 else math.nan
    return Difference(statistics.mean(each), error, n, QUANTILES[n - 1] if n <= len(QUANTILES) else NORMAL)
