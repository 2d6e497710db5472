#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Functions of complex numbers and Fourier transforms give what NumPy gives.

Usage: numpy_complex.py PATH_OF_TROUPE [SEED]
"""
import operator
import sys

import numpy as np
from shell_answers import answers_of, numbers_in

np._set_promotion_state("weak")

COMPLEX = ["complex64", "complex128"]
OTHERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "float16", "float32", "float64"] + COMPLEX

UNARY = {
    "-{}": operator.neg, "abs({})": np.abs, "angle({})": np.angle, "real({})": np.real, "imag({})": np.imag,
    "conj({})": np.conj, "square({})": np.square, "sqrt({})": np.sqrt, "exp({})": np.exp, "exp2({})": np.exp2,
    "expm1({})": np.expm1, "log({})": np.log, "log2({})": np.log2, "log10({})": np.log10, "log1p({})": np.log1p,
    "sin({})": np.sin, "cos({})": np.cos, "tan({})": np.tan, "arcsin({})": np.arcsin, "arccos({})": np.arccos,
    "arctan({})": np.arctan, "sinh({})": np.sinh, "cosh({})": np.cosh, "tanh({})": np.tanh,
    "arcsinh({})": np.arcsinh, "arccosh({})": np.arccosh, "arctanh({})": np.arctanh, "reciprocal({})": np.reciprocal,
    "isnan({})": np.isnan, "isinf({})": np.isinf, "isfinite({})": np.isfinite, "logical_not({})": np.logical_not,
    "sum({})": np.sum, "prod({})": np.prod, "mean({})": np.mean, "var({})": np.var, "cumsum({})": np.cumsum, "cumprod({})": np.cumprod,
    "sum(reshape({}, 2, 4), 0)": lambda x: x.reshape(2, 4).sum(0), "prod(reshape({}, 2, 4), 1)": lambda x: x.reshape(2, 4).prod(1),
    "mean(reshape({}, 2, 4), axis=1)": lambda x: x.reshape(2, 4).mean(1), "cumprod(reshape({}, 2, 4), 0)": lambda x: x.reshape(2, 4).cumprod(0),
    "any({})": np.any, "all({})": np.all, "count_nonzero({})": np.count_nonzero, "norm({})": np.linalg.norm,
    "{} + 1": lambda x: x + 1, "{} * 2.5": lambda x: x * 2.5, "{} * 2j": lambda x: x * 2j, "1 - 1j / {}": lambda x: 1 - 1j / x,
    "{} ** 2": lambda x: x ** 2, "{} ** -1.5": lambda x: x ** -1.5, "{}[::-1]": lambda x: x[::-1],
    "{0}[real({0}) > 0]": lambda x: x[x.real > 0], "flip({})": np.flip, "roll({}, 2)": lambda x: np.roll(x, 2),
    "reshape({0}, 2, 4) @ reshape({0}, 4, 2)": lambda x: x.reshape(2, 4) @ x.reshape(4, 2),
    "reshape({}, 2, 4).T": lambda x: x.reshape(2, 4).T, "diff({})": np.diff, "trapezoid({})": np.trapz,
    "einsum(\"i,j->ij\", {0}, {0})": lambda x: np.einsum("i,j->ij", x, x), "tile({}, 2)": lambda x: np.tile(x, 2),
    "vecdot({0}, {0})": lambda x: np.vdot(x, x), "outer({0}, {0})": lambda x: np.outer(x, x), "kron({0}, {0})": lambda x: np.kron(x, x),
    "unique({})": np.unique, "unique(concatenate([{0}, {0}, real({0})]))": lambda x: np.unique(np.concatenate([x, x, x.real])),
    "unique_counts(concatenate([{0}, {0}[:3]]))[1]": lambda x: np.unique(np.concatenate([x, x[:3]]), return_counts=True)[1],
    "unique_inverse({})[1]": lambda x: np.unique(x, return_inverse=True)[1],
    "unique_all({})[1]": lambda x: np.unique(x, return_index=True)[1], "isin({0}, {0}[::2] + 0)": lambda x: np.isin(x, x[::2]),
    "isin(real({0}), {0})": lambda x: np.isin(x.real, x), "exp(logcumsumexp({}))": lambda x: np.cumsum(np.exp(x)),
    "exp(logcumsumexp(reshape({}, 2, 4), 1))": lambda x: np.exp(x.reshape(2, 4)).cumsum(1),
    "lerp({0}, conj({0}), 0.25)": lambda x: x + (np.conj(x) - x) * 0.25, "lerp({0}, 2, {0})": lambda x: x + (2 - x) * x,
    "sum({}, dtype=complex128)": lambda x: np.sum(x, dtype=np.complex128), "prod({}, dtype=complex64)": lambda x: np.prod(x, dtype=np.complex64),
    "cumsum({}, dtype=complex128)": lambda x: np.cumsum(x, dtype=np.complex128), "cumprod({}, dtype=float64)": None,
    "pow({}, 2)": lambda x: x ** 2, "acosh({})": np.arccosh, "cumulative_sum({})": np.cumsum,
    "cumulative_prod({}, include_initial=true)": lambda x: np.concatenate([np.ones(1, x.dtype), np.cumprod(x)]),
    "max({})": None, "sort({})": None, "floor({})": None, "{} % 2": None, "~{}": None,
}
MATRIX = {
    "inv({})": np.linalg.inv, "det({})": np.linalg.det, "slogdet({})[0]": lambda x: np.linalg.slogdet(x)[0],
    "slogdet({})[1]": lambda x: np.linalg.slogdet(x)[1], "solve({0}, {0}.T)": lambda x: np.linalg.solve(x, np.swapaxes(x, -1, -2)),
    "svdvals({})": lambda x: np.linalg.svd(x, compute_uv=False), "pinv({})": np.linalg.pinv, "matrix_rank({})": np.linalg.matrix_rank,
    "eigvalsh({0} + conj({0}).T)": lambda x: np.linalg.eigvalsh(x + np.conj(x).T),
    "cholesky({0} @ conj({0}).T)": lambda x: np.linalg.cholesky(x @ np.conj(x).T),
    "abs(qr({})[1])": lambda x: np.abs(np.linalg.qr(x)[1]), "matrix_power({}, 3)": lambda x: np.linalg.matrix_power(x, 3),
    "sort(abs(eigvals({})))": lambda x: np.sort(np.abs(np.linalg.eigvals(x))), "cond({})": np.linalg.cond,
    "sort(real(eigvals(real({}))))": lambda x: np.sort(np.linalg.eigvals(x.real).real),
    "sort(imag(eig(real({}))[0]))": lambda x: np.sort(np.linalg.eig(x.real)[0].imag),
    "matrix_norm({}, order=\"nuc\")": lambda x: np.linalg.norm(x, "nuc"), "trace({})": np.trace, "norm({}, 1)": lambda x: np.linalg.norm(x, axis=1),
}
BINARY = {
    "{} + {}": operator.add, "{} - {}": operator.sub, "{} * {}": operator.mul, "{} / {}": operator.truediv,
    "power({}, {})": np.power, "{} == {}": operator.eq, "{} != {}": operator.ne,
    "where({0} != 0, {0}, {1})": lambda x, y: np.where(x != 0, x, y),
    "concatenate([{}, {}])": lambda x, y: np.concatenate([x, y]), "result_type({}, {})": np.result_type,
    "logical_and({}, {})": np.logical_and, "{} @ {}": operator.matmul,
}


def numbers_of(dtype, random, size=8):
    if dtype == "bool":
        return random.integers(0, 2, size).astype(bool)
    if dtype.startswith("complex"):
        return (np.round(random.uniform(-3, 3, size), 2) + 1j * np.round(random.uniform(-3, 3, size), 2)).astype(dtype)
    if dtype.startswith("float"):
        return np.round(random.uniform(-3, 3, size), 2).astype(dtype)
    return random.integers(0 if dtype.startswith("u") else -5, 6, size).astype(dtype)


def literal(x):
    def one(z):
        return f"{z.real!r}{'+' if np.copysign(1, z.imag) > 0 else ''}{z.imag!r}j" if isinstance(z, complex) else str(z).lower()
    if x.ndim > 1:
        return "[" + ", ".join(literal(row) for row in x) + "]"
    return "[" + ", ".join(one(z) for z in x.tolist()) + "]"


def text_of(x):
    return f"array({literal(x)}, {x.dtype})"


def array_of(value):
    data, dtype, shape = numbers_in(value["data"]), value["dtype"], value["shape"]
    if dtype.startswith("complex"):
        parts = np.array(data, dtype="float64").reshape(shape + [2])
        return (parts[..., 0] + 1j * parts[..., 1]).astype(dtype)
    return np.array(data).astype(dtype).reshape(shape)


def transforms(random):
    """Every function of a transform, length, axis and norm."""
    for n in [1, 2, 3, 4, 5, 7, 8, 12, 37, 64, 100, 101]:
        for dtype in ["float32", "float64", "int32"] + COMPLEX:
            x = numbers_of(dtype, random, n)
            for name in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]:
                if name in ("rfft", "ihfft") and dtype.startswith("complex"):
                    continue
                if name in ("irfft", "hfft") and n == 1:
                    continue
                for arguments in ["", f", n={n + 3}", f", n={max(1, n - 2)}", ', norm="ortho"', ', norm="forward"']:
                    keywords = eval(f"dict({arguments[2:]})")
                    yield f"{name}({text_of(x)}{arguments})", (getattr(np.fft, name), x, keywords)
    x = (numbers_of("complex128", random, 24)).reshape(2, 3, 4)
    for name in ["fft", "ifft", "irfft", "hfft"]:
        for axis in [0, 1, -1]:
            yield f"{name}({text_of(x)}, axis={axis})", (getattr(np.fft, name), x, {"axis": axis})
    for name in ["fftn", "ifftn", "irfftn"]:
        for arguments in ["", ", axes=[0, 1]", ", s=[2, 4]", ', s=[3, 2], axes=[2, 0], norm="ortho"']:
            yield f"{name}({text_of(x)}{arguments})", (getattr(np.fft, name), x, eval(f"dict({arguments[2:]})"))
    yield f"rfftn({text_of(x.real.copy())}, axes=[0, 2])", (np.fft.rfftn, x.real, {"axes": [0, 2]})
    yield f"fftshift({text_of(x)})", (np.fft.fftshift, x, {})
    yield f"ifftshift({text_of(x)}, axes=1)", (np.fft.ifftshift, x, {"axes": 1})
    for n in [1, 4, 5]:
        yield f"fftfreq({n}, 0.5, float64)", (np.fft.fftfreq, n, {"d": 0.5})
        yield f"rfftfreq({n}, 0.5, float64)", (np.fft.rfftfreq, n, {"d": 0.5})


def cases(random):
    """Texts, and what NumPy has to say; None: an error."""
    for a in COMPLEX:
        x = numbers_of(a, random)
        for text, function in UNARY.items():
            yield text.format(text_of(x)), function(x) if function else None
        for n in [1, 2, 3, 8]:
            square = numbers_of(a, random, n * n).reshape(n, n) + (n * np.eye(n)).astype(a)
            for text, function in MATRIX.items():
                yield text.format(text_of(square)), function(square)
        for b in OTHERS:
            y = numbers_of(b, random)
            if b == "bool":
                y[:] = True  # what 0 to the power of a complex number is, and x / 0, is open
            else:
                y[y == 0] = 1
            for text, function in BINARY.items():
                yield text.format(text_of(x), text_of(y)), function(x, y)
                yield text.format(text_of(y), text_of(x)), function(y, x)
            yield f"astype({text_of(y)}, {a})", y.astype(a)
    for text, (function, x, keywords) in transforms(random):
        out = function(x, **keywords)
        narrow = getattr(x, "dtype", None) in ("float32", "complex64")
        if narrow:  # NumPy 1 computes in double precision
            out = out.astype("complex64" if out.dtype.kind == "c" else "float32")
        yield text, out


def problem_of(ours, numpys):
    if numpys is None:
        return "" if "error" in ours else "no error"
    if "error" in ours:
        return f"we say {ours['error']}, NumPy {numpys}"
    if isinstance(numpys, np.dtype):
        return "" if ours["value"] == str(numpys) else f"we {ours['value']}, NumPy {numpys}"
    mine, numpys = array_of(ours["value"]), np.asarray(numpys)
    close = 1e-5 if numpys.dtype in ("complex64", "float32") else 1e-12
    scale = np.abs(numpys[np.isfinite(numpys)]).max(initial=1.0) if numpys.dtype.kind in "fc" else 1
    same = mine.shape == numpys.shape and np.allclose(mine, numpys, rtol=close, atol=close * scale, equal_nan=True)
    return "" if same and mine.dtype == numpys.dtype else f"we {mine.dtype}{mine.tolist()}, NumPy {numpys.dtype}{numpys.tolist()}"


def main():
    np.seterr(all="ignore")
    all_cases = list(cases(np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
    answers = answers_of(sys.argv[1], [text for text, _ in all_cases])
    different = 0
    for i, (text, numpys) in enumerate(all_cases):
        problem = problem_of(answers[i + 1], numpys) if i + 1 in answers else "no answer"
        if problem:
            different += 1
            if different <= 20:
                print(f"{text}: {problem}")
    print(f"{len(all_cases)} compared, {different} differ")
    return 1 if different or len(all_cases) < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
