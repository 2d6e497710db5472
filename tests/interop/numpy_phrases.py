#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The rows of the phrasebook say the same in NumPy, in the shell and in C++: shapes and elements.

Usage: numpy_phrases.py PHRASEBOOK PROGRAM_OF_ITS_C++ PATH_OF_TROUPE
"""
import json
import re
import subprocess
import sys

import numpy as np

np.seterr(all="ignore")
if not hasattr(np, "trapezoid"):
    np.trapezoid = np.trapz  # its name in NumPy 1

GIVEN = {"x": [[3., 1., 2.], [6., 5., 4.]], "y": [[1., 2., 3.], [1., 4., 9.]], "v": [2., 7., 1.],
         "i": [2, 0, 1], "mask": [True, True, False], "m": [[2., 1.], [1., 3.]], "b": [1., 2.],
         "images": np.arange(16.).reshape(1, 1, 4, 4)}


def rows(page):
    """For each row that has one, by its line: the cell of NumPy, and that of the shell."""
    section = ""
    for number, line in enumerate(page.split("\n"), 1):
        section = line if line.startswith("## ") else section
        cells = [cell.strip(" `") for cell in line.split("|")[1:-1]]
        if line.startswith("| ") and len(cells) >= 4 and "`" in line:
            yield number, cells[0] if len(cells) == 5 else "", cells[-2], section == "## Random numbers"


def arrays_of(value):
    """The arrays in a value of the shell, flat, each with its shape; none if there are others."""
    if isinstance(value, dict) and "data" in value:
        return [(tuple(value["shape"]), np.array(value["data"], float).ravel())]
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return [array for one in value for array in arrays_of(one)]
    return []


def printed(text):
    """The arrays that the C++ program printed, by line."""
    out = {}
    for line in text.split("\n"):
        number, _, rest = line.partition(":")
        out[number] = [(tuple(map(int, filter(None, sizes.split(",")))), np.array(numbers.split(), float))
                       for sizes, numbers in re.findall(r"\[([\d,]*)\]([^\[]*)", rest)]
    return out


def same(some, others, shapes_alone=False):
    return len(some) == len(others) and all(
        x[0] == y[0] and (shapes_alone or np.allclose(x[1], y[1], 1e-6, 1e-7, equal_nan=True))
        for x, y in zip(some, others))


def numpy_arrays(text):
    result = eval(text, {"np": np, **{name: np.array(array) for name, array in GIVEN.items()}})
    many = result if isinstance(result, (list, tuple)) and isinstance(result[0], np.ndarray) else [result]
    return [(np.shape(one), np.asarray(one, float).ravel()) for one in many]


def answers_of(shell, page, asked):
    """The shell's answers to the phrases, by line; each is asked after the page's declarations."""
    preamble = [line[2:] for line in re.search(r"```troupe\n(.*?)```", page, re.S)[1].strip().split("\n")]
    inputs = "\n".join("\n".join([*preamble, f'"row {number}"', cell]) for number, _, cell, _ in asked)
    said = subprocess.run([shell, "--json"], input=inputs, capture_output=True, text=True)
    answers, row = {}, None
    for answer in map(json.loads, said.stdout.splitlines()):
        value = answer.get("value")
        if isinstance(value, str) and value.startswith("row "):
            row = int(value[4:])
        elif row is not None:
            answers.setdefault(row, answer)
    return answers


def main(path, program, shell):
    page = open(path).read()
    asked = list(rows(page))
    answers = answers_of(shell, page, asked)
    in_cpp = printed(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    compared, complaints = 0, []
    for number, in_numpy, cell, random in asked:
        answer = answers.get(number, {"error": "no answer"})
        arrays = arrays_of(answer.get("value"))
        expected = numpy_arrays(in_numpy) if in_numpy and arrays else arrays
        compared += bool(in_numpy and arrays)
        if "error" in answer:
            complaints.append(f"{path}:{number}: {cell}: {answer['error']}")
        elif "value" in answer and not same(arrays, in_cpp[str(number)]):
            complaints.append(f"{path}:{number}: {cell}: {arrays} and in C++ {in_cpp[str(number)]}")
        elif not same(arrays, expected, random):
            complaints.append(f"{path}:{number}: {cell}: {arrays} and in NumPy {expected}")
    print(*complaints, f"{len(asked)} phrases, {compared} compared with NumPy", sep="\n")
    return 1 if complaints or compared < 100 else 0


sys.exit(main(*sys.argv[1:]))
