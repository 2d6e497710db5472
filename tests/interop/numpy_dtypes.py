#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Operations on every pair of dtypes give what NumPy gives: values and dtype.

Usage: numpy_dtypes.py PATH_OF_TROUPE [SEED]
"""
import operator
import sys

import numpy as np
from shell_answers import answers_of, numbers_in

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES = INTEGERS + ["bool", "float16", "float32", "float64"]
SIZE = 8

# As in NumPy 2 and the array API standard: numbers have no dtype of their own.
np._set_promotion_state("weak")


def shift(function):
    """Without places beyond an element's width, which C leaves open."""
    def shifted(x, y):
        dtype = np.result_type(x, y)
        width, places = 8 * dtype.itemsize, y.astype(dtype)
        inside = (places >= 0) & (places < width)
        beyond = np.where(x.astype(dtype) < 0, -1, 0) if function is np.right_shift else np.zeros(SIZE)
        out = function(x.astype(dtype), np.where(inside, places, 0).astype(dtype))
        return np.where(inside, out, beyond.astype(dtype))
    return shifted


BINARY = {
    "{} + {}": operator.add, "{} - {}": operator.sub, "{} * {}": operator.mul, "{} / {}": operator.truediv,
    "{} // {}": np.floor_divide, "{} % {}": np.remainder, "fmod({}, {})": np.fmod,
    "{} & {}": operator.and_, "{} | {}": operator.or_, "{} ^ {}": operator.xor,
    "{} << {}": shift(np.left_shift), "{} >> {}": shift(np.right_shift),
    "{} == {}": operator.eq, "{} < {}": operator.lt, "{} >= {}": operator.ge,
    "maximum({}, {})": np.maximum, "minimum({}, {})": np.minimum,
    "where({0} != 0, {0}, {1})": lambda x, y: np.where(x != 0, x, y),
    "concatenate([{}, {}])": lambda x, y: np.concatenate([x, y]),
    "result_type({}, {})": np.result_type,
}
UNARY = {
    "-{}": operator.neg, "abs({})": np.abs, "sign({})": np.sign, "square({})": np.square, "~{}": np.invert,
    "sort({})": np.sort, "argsort({})": lambda x: np.argsort(x, kind="stable"), "cumsum({})": np.cumsum, "sum({})": np.sum,
    "prod({})": np.prod, "max({})": np.max, "min({})": np.min, "argmax({})": np.argmax, "any({})": np.any,
    "mean({})": lambda x: np.mean(x.astype(np.float64)) if x.dtype.kind in "iu" else np.mean(x),
    "{} + 1": lambda x: x + (1 if x.dtype != bool else np.int64(1)), "{}[::-1]": lambda x: x[::-1],
    "unique({})": np.unique, "{0}[{0} > 3]": lambda x: x[x > 3], "clip({}, 1, 100)": lambda x: np.clip(x, 1, 100),
    "reshape({0}, 2, 4) @ reshape({0}, 4, 2)": lambda x: x.reshape(2, 4) @ x.reshape(4, 2),
    "sum({}, dtype=float64)": lambda x: np.sum(x, dtype=np.float64), "sum({}, dtype=bool)": lambda x: np.sum(x, dtype=bool),
    "prod({}, dtype=float64)": lambda x: np.prod(x, dtype=np.float64), "cumsum({}, dtype=float64)": lambda x: np.cumsum(x, dtype=np.float64),
    "cumprod({}, dtype=float64)": lambda x: np.cumprod(x, dtype=np.float64),
    "cumulative_sum({}, dtype=float64, include_initial=true)": lambda x: np.concatenate([[0.0], np.cumsum(x, dtype=np.float64)]),
}
# What a float beyond a range becomes is open.
OF_INTEGERS = {
    "sum({}, dtype=uint8)": lambda x: np.sum(x, dtype=np.uint8), "sum({}, dtype=int16)": lambda x: np.sum(x, dtype=np.int16),
    "prod({}, dtype=int32)": lambda x: np.prod(x, dtype=np.int32), "cumsum({}, dtype=int8)": lambda x: np.cumsum(x, dtype=np.int8),
    "cumprod({}, dtype=uint16)": lambda x: np.cumprod(x, dtype=np.uint16), "bitwise_invert({})": np.invert,
}

# Of bool they are int32 here, or errors, and int8 in NumPy.
OF_NUMBERS = ["square({})", "{} // {}", "{} % {}", "fmod({}, {})", "{} << {}", "{} >> {}"]


def numbers_of(dtype, random):
    if dtype == "bool":
        return random.integers(0, 2, SIZE).astype(bool)
    if dtype.startswith("float"):
        return np.round(random.uniform(-50, 50, SIZE), 1).astype(dtype)
    info = np.iinfo(dtype)
    out = random.integers(max(info.min, -20), 20, SIZE).astype(dtype)
    out[:3] = info.min, info.max, info.max // 2
    return out


def literal(x):
    return str(x.tolist()).lower()


def array_of(value):
    exact = "float64" if value["dtype"].startswith("float") else value["dtype"]
    return np.array(numbers_in(value["data"]), dtype=exact).astype(value["dtype"]).reshape(value["shape"])


def cases(random):
    """Texts, and what NumPy has to say: an array, a dtype or an exception."""
    def called(function, *inputs):
        try:
            return function(*inputs)
        except (TypeError, ValueError) as e:
            return e
    for a in DTYPES:
        x = numbers_of(a, random)
        mine = f"array({literal(x)}, {a})"
        for text, function in UNARY.items():
            if a == "bool" and text in OF_NUMBERS:
                continue
            yield text.format(mine), called(function, x)
        for text, function in OF_INTEGERS.items() if not a.startswith("float") else ():
            yield text.format(mine), called(function, x)
        for b in DTYPES:
            y = numbers_of(b, random)
            yours = f"array({literal(y)}, {b})"
            small = x if a.startswith("float") else x.astype(a)
            if not (a.startswith("float") and b in INTEGERS):  # what a float beyond a range becomes is open
                yield f"astype({mine}, {b})", small.astype(b)
            for text, function in BINARY.items():
                if a == b == "bool" and text in OF_NUMBERS:
                    continue
                yield text.format(mine, yours), called(function, x, y)


def problem_of(ours, numpys):
    if isinstance(numpys, Exception):
        return "" if "error" in ours else f"NumPy says {numpys}"
    if "error" in ours:
        return f"we say {ours['error']}, NumPy {numpys}"
    if isinstance(numpys, np.dtype):
        return "" if ours["value"] == str(numpys) else f"we {ours['value']}, NumPy {numpys}"
    mine, numpys = array_of(ours["value"]), np.asarray(numpys)
    close = {"float16": 2e-3, "float32": 1e-5}.get(str(numpys.dtype), 1e-12)
    if numpys.dtype.kind == "f":
        scale = np.abs(numpys[np.isfinite(numpys)]).max(initial=1.0)
        same = np.allclose(mine, numpys, rtol=close, atol=close * scale, equal_nan=True)
    else:
        same = np.array_equal(mine, numpys)
    return "" if same and mine.dtype == numpys.dtype else f"we {mine.dtype}{mine.tolist()}, NumPy {numpys.dtype}{numpys.tolist()}"


def main():
    np.seterr(all="ignore")
    all_cases = list(cases(np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
    answers = answers_of(sys.argv[1], [text for text, _ in all_cases])
    different = errors = 0
    for i, (text, numpys) in enumerate(all_cases):
        errors += isinstance(numpys, Exception)
        try:
            problem = problem_of(answers[i + 1], numpys) if i + 1 in answers else "no answer"
        except OverflowError as e:
            problem = f"{e}: {answers[i + 1]}"
        if problem:
            different += 1
            if different <= 40:
                print(f"{text}\n    {problem[:300]}")
    print(f"{len(all_cases) - errors} values and {errors} errors: {different} differ")
    sys.exit(1 if different or errors > len(all_cases) // 3 else 0)


main()
