# SPDX-License-Identifier: MIT
"""The shell's answers as JSON, for scripts that compare them with NumPy's."""
import json
import subprocess

import numpy as np

SPECIAL = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}


def answers_of(shell, inputs):
    """The shell's answer to each of these lines, by its number, from 1."""
    ran = subprocess.run([shell, "--json"], input="\n".join(inputs) + "\n", text=True, capture_output=True, timeout=600)
    answers = {}
    for line in ran.stdout.splitlines():
        answer = json.loads(line)
        answers.setdefault(answer["input"], answer)  # a later one says which failures nobody read
    return answers


def numbers_in(data):
    """Nested lists of a value, with numbers in place of the names of those that JSON lacks."""
    return [numbers_in(one) for one in data] if isinstance(data, list) else SPECIAL.get(data, data)
