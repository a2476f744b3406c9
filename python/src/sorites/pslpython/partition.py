"""What rows are: known, asked for, or the truth about what is asked for."""

import enum


class Partition(enum.Enum):
    OBSERVATIONS = "observations"
    TARGETS = "targets"
    TRUTH = "truth"
