#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Random expressions of the shell give what NumPy gives: values, dtype and shape, or an error where NumPy has one.

Usage: numpy_expressions.py PATH_OF_TROUPE [COUNT [SEED]]
"""
import json
import random
import subprocess
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
warnings.filterwarnings("error", "elementwise comparison")  # shapes that do not broadcast
np.seterr(all="ignore")
if hasattr(np, "_set_promotion_state"):
    np._set_promotion_state("weak")  # what NumPy 2 does: only Python's numbers give way

# Deliberate differences: bool becomes float64, not float16, and integers are rounded already.


def float_of_bool(f):
    def call(*given):
        if all(np.asarray(one).dtype == bool for one in given):
            given = [np.asarray(one, np.float64) for one in given]
        return f(*given)
    return call


def rounding(f):
    return lambda x: x if np.asarray(x).dtype.kind in "biu" else f(x)


def choose(condition, x, y):
    """A number gives way to the array, in NumPy 1 too."""
    if isinstance(y, (bool, int, float)):
        kind = np.asarray(x).dtype.kind
        gives_way = isinstance(y, bool) or kind == "f" or (isinstance(y, int) and kind != "b")
        y = np.asarray(y, x.dtype if gives_way else type(y))
    return np.where(condition, x, y)


def on_axes(f):
    """Of what has no axes there is no axis 0."""
    def call(x, axis=None, **more):
        if np.ndim(x) == 0 and axis is not None and axis != ():
            raise ValueError("no axes")
        return f(x, axis=axis, **more)
    return call


def reductions():
    def plain(f):
        return on_axes(lambda x, axis=None, keepdims=False:
                       f(np.asarray(x), axis=axis, keepdims=keepdims))

    def spread(f):
        return on_axes(lambda x, axis=None, ddof=0, keepdims=False:
                       f(np.asarray(x), axis=axis, ddof=ddof, keepdims=keepdims))

    out = {name: plain(getattr(np, name)) for name in
           ("sum", "prod", "mean", "max", "min", "any", "all", "argmax", "argmin")}
    return out | {"var": spread(np.var), "std": spread(np.std)}


UNARY = ["abs", "sin", "cos", "tanh", "exp", "floor", "ceil", "trunc", "sqrt", "arctan", "isnan",
         "logical_not", "sign", "square", "log1p", "expm1"]
BINARY = ["maximum", "minimum", "arctan2", "hypot", "logical_and", "logical_or", "fmod"]

NUMPY = {name: getattr(np, name) for name in UNARY + BINARY}
NUMPY |= {name: float_of_bool(NUMPY[name]) for name in UNARY + BINARY
          if name not in ("isnan", "logical_not", "logical_and", "logical_or", "abs", "maximum", "minimum",
                          "square", "sign", "fmod")}
NUMPY["fmod"] = lambda x, y: np.fmod(
    x, np.asarray(y, np.asarray(x).dtype if np.asarray(x).dtype.kind == "f" else np.int32)
    if np.asarray(y).dtype == bool else y)
NUMPY["square"] = lambda x: np.square(np.asarray(x, np.int32) if np.asarray(x).dtype == bool else x)
NUMPY |= {name: rounding(getattr(np, name)) for name in ("floor", "ceil", "trunc", "round")}
NUMPY |= reductions()
NUMPY |= {
    "true": True, "false": False, "none": None, "newaxis": np.newaxis, "pi": np.pi,
    "where": choose, "clip": np.clip, "matmul": np.matmul,
    "concatenate": lambda arrays, axis=0: np.concatenate(arrays, axis=axis),
    "stack": lambda arrays, axis=0: np.stack(arrays, axis=axis),
    "split": lambda x, parts, axis=0: np.split(x, parts, axis=axis),
    "take": lambda x, i, axis=None: np.take(x, np.asarray(i), axis=axis, mode="raise"),
    "reshape": lambda x, *sizes: np.reshape(x, sizes),
    "flatten": np.ravel, "squeeze": np.squeeze, "expand_dims": np.expand_dims,
    "transpose": np.transpose, "swapaxes": np.swapaxes,
    "broadcast_to": np.broadcast_to,
    "arange": lambda *a: np.arange(*a),
    "eye": lambda *a: np.eye(*a, dtype=np.float32),
    "linspace": lambda a, b, n: np.linspace(a, b, n, dtype=np.float32),
    "float32": lambda x: np.asarray(x).astype(np.float32),
    "float64": lambda x: np.asarray(x).astype(np.float64),
    "int32": lambda x: np.asarray(x).astype(np.int32),
    "int64": lambda x: np.asarray(x).astype(np.int64),
    "bool": lambda x: np.asarray(x).astype(np.bool_),
}



def refusing(f, wrong):
    """NumPy's function, but for what we refuse and NumPy takes."""
    def call(x, *more, **named):
        if wrong(np.asarray(x), *(np.asarray(one) for one in more if isinstance(one, np.ndarray))):
            raise ValueError("refused")
        return f(x, *more, **named)
    return call


def meshgrid(vectors, indexing="xy"):
    if any(np.ndim(one) > 1 for one in vectors):
        raise ValueError("refused")
    return np.meshgrid(*vectors, indexing=indexing)


def not_three(x, y):
    return x.shape[-1] != 3 or y.shape[-1] != 3


NUMPY |= {name: getattr(np, name) for name in
          ("flip", "roll", "tile", "moveaxis", "rot90", "atleast_1d", "atleast_2d", "atleast_3d", "zeros_like",
           "ones_like", "full_like", "diag", "diagonal", "vander", "outer", "inner", "tensordot", "kron",
           "isclose")}
NUMPY |= {
    "repeat_each": lambda x, count, axis=None: np.repeat(np.zeros(1) if count < 0 else x, count, axis),
    "allclose": lambda *given, **more: np.asarray(np.allclose(*given, **more)),
    "array_equal": lambda x, y: np.asarray(np.array_equal(x, y)),
    "unstack": lambda x, axis=0: list(np.moveaxis(x, axis, 0)),
    "broadcast_arrays": lambda arrays: np.broadcast_arrays(*arrays),
    "diff": lambda x, times=1, axis=-1: np.diff(np.swapaxes(x, axis, -1), times).swapaxes(axis, -1),
    "pad": lambda x, widths, value=0: np.pad(x, widths, constant_values=value),
    "identity": lambda n: np.identity(n, dtype=np.float32),
    "tri": lambda *a: np.tri(*a, dtype=np.float32),
    "tril": refusing(np.tril, lambda x: x.ndim < 2),
    "triu": refusing(np.triu, lambda x: x.ndim < 2),
    "meshgrid": meshgrid,
    "one_hot": lambda x, n: (np.asarray(x)[..., None] == np.arange(n)).astype(np.float32),
    "vecdot": lambda x, y, axis=-1: (np.moveaxis(x, axis, -1)[..., None, :]
                                     @ np.moveaxis(y, axis, -1)[..., :, None])[..., 0, 0],
    "cross": refusing(np.cross, not_three),
    "count_nonzero": on_axes(lambda x, axis=None, keepdims=False:
                             np.count_nonzero(x, axis=axis, keepdims=keepdims)),
}



def vector_norm(x, axis=None, keepdims=False, order=2):
    if axis is None:
        return np.linalg.norm(np.ravel(x), order).reshape((1,) * np.ndim(x) if keepdims else ())
    return np.linalg.norm(x, order, axis=axis, keepdims=keepdims)


def solve(a, b):
    """As of NumPy 2: only one axis is a vector."""
    return np.linalg.solve(a, b[None] if 1 < b.ndim < a.ndim else b)


def in_floats(x):
    return x if x.dtype.kind == "f" else x.astype(np.float64)


NUMPY |= {name: getattr(np.linalg, name) for name in
          ("cholesky", "inv", "det", "slogdet", "qr", "svd", "eigh", "eigvalsh", "matrix_power",
           "multi_dot", "cond")}
NUMPY |= {
    "inf": np.inf,
    "solve": solve, "matrix_rank": refusing(np.linalg.matrix_rank, lambda x: x.ndim < 2),
    "pinv": lambda x, rtol: np.linalg.pinv(in_floats(x), rtol),
    "svdvals": lambda x: np.linalg.svd(x, compute_uv=False),
    "lu": lambda x: [np.identity(x.shape[-2], in_floats(x).dtype)] * 2 + [in_floats(x)],  # for their product
    "lstsq": lambda a, b: np.linalg.lstsq(a, b, rcond=None),
    "trace": lambda x, offset=0: np.trace(x, offset, axis1=-2, axis2=-1),
    "matrix_transpose": lambda x: np.swapaxes(x, -1, -2),
    "matrix_norm": lambda x, keepdims=False, order="fro": np.linalg.norm(x, order, axis=(-2, -1), keepdims=keepdims),
    "vector_norm": vector_norm,
}


def in_order(f):
    """NumPy's, along one axis; in descending order with equal elements as they come."""
    def call(x, axis=-1, descending=False):
        x = np.asarray(x)
        if not descending:
            return f(x, axis=axis, kind="stable")
        places = np.argsort(-x if x.dtype != bool else ~x, axis=axis, kind="stable")
        return places if f is np.argsort else np.take_along_axis(x, places, axis)
    return call


def argtopk(x, count, axis=-1):
    x = np.asarray(x)
    if not 0 <= count <= x.shape[axis]:
        raise ValueError("refused")
    return np.take(in_order(np.argsort)(x, axis, True), np.arange(count), axis)


def accumulating(f, dtype=None):
    def call(x, axis=None):
        x = np.asarray(x)
        x = x.astype(dtype(x)) if dtype else x
        return f.accumulate(x.ravel() if axis is None else x, 0 if axis is None else axis)
    return call


NUMPY |= {
    "sort": in_order(np.sort), "argsort": in_order(np.argsort), "argtopk": argtopk,
    "topk": lambda x, count, axis=-1: [np.take_along_axis(x, argtopk(x, count, axis), axis), argtopk(x, count, axis)],
    "searchsorted": lambda x, y, side="left": np.asarray(np.searchsorted(x, y, side)),
    "cumsum": on_axes(np.cumsum), "cumprod": on_axes(np.cumprod), "cummax": accumulating(np.maximum), "cummin": accumulating(np.minimum),
    "logcumsumexp": accumulating(np.logaddexp, lambda x: x.dtype if x.dtype.kind == "f" else np.float64),
}


def some(f):
    """NumPy's, of at least one element along the axis, in the dtype of a float or in float64."""
    def call(x, *more, axis=None, keepdims=False):
        x = np.asarray(x)
        if (x.size if axis is None else x.shape[axis]) == 0:
            raise ValueError("refused")
        x = x if x.dtype.kind == "f" else x.astype(np.float64)
        return np.asarray(f(x, *more, axis=axis, keepdims=keepdims)).astype(x.dtype)
    return call


def partition(x, at, axis=-1):
    if not -x.shape[axis] <= at < x.shape[axis]:
        raise ValueError("refused")
    return np.partition(x, at, axis)


def trapezoid(y, x=1, axis=-1):
    y = np.asarray(y)
    y = y if y.dtype.kind == "f" else y.astype(np.float64)
    if np.ndim(x) == 0:
        return np.trapz(y, dx=x, axis=axis)
    if x.shape != y.shape and x.shape != (y.shape[axis],):
        raise ValueError("refused")
    return np.trapz(y, x if x.dtype.kind == "f" else x.astype(np.float64), axis=axis)


def bincount(x, weights=None, least=0):
    if weights is not None and x.shape != weights.shape:
        raise ValueError("refused")
    return np.bincount(x, weights, least)


def unique_inverse(x):
    values, inverse = np.unique(x, return_inverse=True)
    return [values, inverse.reshape(np.shape(x))]


NUMPY |= {
    "median": some(np.median), "quantile": some(np.quantile), "percentile": some(np.percentile),
    "partition": partition, "trapezoid": trapezoid,
    "histogram": lambda x, bins, range=None: np.histogram(x, bins, range),
    "bincount": bincount,
    "nonzero": refusing(np.nonzero, lambda x: x.ndim == 0), "unique": np.unique, "isin": np.isin,
    "unique_counts": lambda x: np.unique(x, return_counts=True), "unique_inverse": unique_inverse,
    "convolve": np.convolve, "correlate": np.correlate,
}
NUMPY |= {name: on_axes(lambda x, f=getattr(np, name), **more: f(np.asarray(x), **more))
          for name in ("nansum", "nanprod", "nanmean", "nanmax", "nanmin", "nanvar", "nanstd")}

SHAPES = [(1,), (3,), (4,), (2, 3), (3, 1), (1, 4), (2, 3, 4), (3, 4), (4, 3), (2, 1, 4), (0,), (0, 3)]
DTYPES = ["float32", "float64", "int32", "int64", "bool"]


def literal(x):
    if isinstance(x, list):
        return "[" + ", ".join(literal(one) for one in x) + "]"
    if isinstance(x, bool):
        return "true" if x else "false"
    return repr(x)


class Generator:
    """Texts that both sides take, over variables that both sides have."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = {}

    def make_variables(self):
        lines = []
        for i, shape in enumerate(SHAPES):
            for dtype in DTYPES:
                size = int(np.prod(shape))
                if dtype == "bool":
                    numbers = [self.random.random() < 0.5 for _ in range(size)]
                elif dtype.startswith("int"):
                    numbers = [self.random.randint(-4, 6) for _ in range(size)]
                else:
                    numbers = [round(self.random.uniform(-3, 3), 2) for _ in range(size)]
                array = np.array(numbers, dtype=dtype).reshape(shape)
                name = f"{dtype[0]}{dtype[-2:]}_{i}".replace("bol", "b")
                self.variables[name] = array
                flat = literal(numbers) if size else "zeros(0)"
                sizes = "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
                lines.append(f"{name} = reshape({dtype}({flat}), {sizes});")
        return lines

    def name(self):
        return self.random.choice(list(self.variables))

    def number(self):
        return self.random.choice(["2", "3", "1", "0.5", "-1.5", "2.0", "-2", "true", "0"])

    def axis(self):
        return self.random.choice(["0", "1", "-1", "2", "-2", "none", "(0, 1)", "(0, -1)"])

    def item(self):
        return self.random.choice(["0", "-1", "1", ":", "1:", ":2", "::2", "::-1", "-2:", "...", "newaxis",
                                   "1:3", "2:0:-1", "5:"])

    def picking(self):
        item = self.item().replace("5:", "1:")  # of what is empty NumPy does not look at the other positions
        return self.random.choice([item, item, "[0, 1]", "[-1, 0, 0]", "[[0], [1]]", "[[1, 0]]", "[2]",
                                   "arange(2)", "[true, false]", "[false, true, true]", "0"])

    def picked(self):
        """A part of an array by positions and masks, or the array with other elements there."""
        r = self.random
        name = self.name()
        part = r.choice([f"{name} > 0", "..., [0, -1]", *[", ".join(self.picking() for _ in range(r.randint(1, 3)))] * 6])
        if r.random() < 0.5:
            return f"{name}[{part}]"
        value = r.choice(["1", "true", "[1]", "b_3", "b_1", "arange(4)", "arange(2)", "eye(3)"])
        if name[0] != "f" and value == "eye(3)" or name[0] == "b" and value not in ("true", "b_3"):
            value = "true"
        sign = r.choice(["=", "=", "+=", "*="]) if name[0] != "b" else "="
        return f"w = copy({name}); w[{part}] {sign} {value}; w"

    def array(self, depth):
        """An expression that is an array with axes, or may be one."""
        r = self.random
        if depth == 0 or r.random() < 0.1:
            return r.choice([self.name(), self.name(), self.name(), "arange(6)", "eye(3)", "linspace(0, 1, 4)"])
        a = lambda: self.array(depth - 1)
        kind = r.randrange(21)
        if kind <= 2:
            op = r.choice(["+", "-", "*", "/", "//", "%", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^"])
            left, right = a(), r.choice([a, a, self.number])()
            if r.random() < 0.15:
                left, right = right, left
            if op in ("//", "%"):
                left += " + 0"  # of two bools NumPy makes int8, which we have not
                return f"(({left}) {op} {right})"
            return f"({left} {op} {right})"
        if kind == 3:
            return f"(({a()} + 0) ** {r.choice(['2', '3', '0', '2.0', '1.5'])})"
        if kind <= 5:
            return f"{r.choice(UNARY)}({a()})"
        if kind == 6:
            return f"{r.choice(BINARY)}({a()}, {a()})"
        if kind == 7:
            name = r.choice(["sum", "prod", "mean", "max", "min", "any", "all"])
            return f"{name}({a()}, axis={self.axis()}, keepdims=true)"
        if kind == 8:
            return f"where({a()} > {r.choice(['0', '1', '-0.5'])}, {a()}, {r.choice([a, self.number])()})"
        if kind == 9:
            items = ", ".join(self.item() for _ in range(r.randint(1, 3)))
            return f"{a()}[{items}]"
        if kind == 10:
            return r.choice([f"{a()}.T", f"swapaxes({a()}, 0, {r.choice(['1', '-1'])})",
                             f"expand_dims({a()}, {r.choice(['0', '1', '-1'])})", f"flatten({a()})",
                             f"reshape({a()}, {r.choice(['-1', '3, -1', '2, -1', '1, -1', '12', '6'])})",
                             f"broadcast_to({a()}, (2, 3, 4))", f"squeeze({a()})"])
        if kind == 11:
            return r.choice([f"concatenate([{a()}, {a()}], axis={r.choice(['0', '1', '-1'])})",
                             f"stack([{a()}, {a()}], axis={r.choice(['0', '1', '-1'])})",
                             f"split({a()}, {r.choice(['2', '3'])}, axis={r.choice(['0', '-1'])})[{r.choice(['0', '-1'])}]"])
        if kind == 12:
            return f"({a()} @ {a()})"
        if kind == 14:
            return self.arranged(a())
        if kind == 15:
            return self.made(a())
        if kind == 16:
            return self.product()
        if kind == 17:
            return r.choice([f"count_nonzero({a()}, axis={self.axis()}, keepdims=true)",
                             f"isclose({a()}, {a()}, 0.1, {r.choice(['0', '0.5'])})",
                             f"allclose({a()}, {a()}, 0.5, equal_nan=true)", f"array_equal({a()}, {a()})",
                             f"diff({a()}, {r.choice(['0', '1', '2', '5'])}, axis={r.choice(['0', '1', '-1', '-2'])})"])
        if kind == 18:
            return self.ordered(a())
        if kind == 19:
            return self.summarised(a())
        if kind == 13:
            return f"{r.choice(DTYPES)}({a()})"
        return r.choice([f"(-{a()})", f"(~{a()})", f"take({a()}, [1, 0, -1], axis={r.choice(['0', '1', '-1', 'none'])})",
                         f"clip({a()}, -1, 2)", f"round({a()})"])

    def arranged(self, x):
        """The elements of an array at other places."""
        r = self.random
        one = r.choice(["0", "1", "-1", "-2", "2"])
        count = r.choice(["0", "1", "2", "3", "-1"])
        return r.choice([
            f"flip({x}, axis={self.axis()})", f"roll({x}, {r.choice(['1', '-1', '7'])}, axis={self.axis()})",
            f"roll({x}, (1, -2), axis=(0, -1))", f"repeat_each({x}, {count}, axis={r.choice([one, 'none'])})",
            f"tile({x}, {r.choice(['2', '(2,)', '(1, 2)', '(2, 1, 3)', '(0, 1)'])})", f"moveaxis({x}, {one}, 0)",
            f"moveaxis({x}, (0, 1), (-1, {one}))", f"rot90({x}, {r.choice(['1', '2', '3', '-1', '4'])})",
            f"rot90({x}, 1, ({one}, 0))", f"atleast_{r.choice('123')}d({x})", f"unstack({x}, axis={one})[0]",
            f"broadcast_arrays([{x}, {self.name()}])[{r.choice('01')}]",
            f"pad({x}, {r.choice(['1', '(1, 2)', '[[1, 0], [0, 2]]', '[[0, 3]]'])}, {r.choice(['0', '2', '1.5'])})"])

    def ordered(self, x):
        """Elements in order, or what is found by it: places only of exact numbers, which rounding leaves in order."""
        r = self.random
        axis = r.choice(["0", "1", "-1", "2"])
        over = r.choice([axis, "none"])
        exact, count, side = self.name(), r.choice("0123"), r.choice(['"left"', '"right"'])
        return r.choice([
            f"sort({x}, {axis})", f"sort({x}, {axis}, true)", f"argsort({exact}, {axis})",
            f"argsort({exact}, axis={axis}, descending=true)", f"argtopk({exact}, {count}, {axis})",
            f"topk({exact}, {count}, {axis})[{r.choice('01')}]", f"searchsorted(sort({exact}), {self.name()}, {side})",
            f"cumsum({x}, {over})", f"cumprod({exact}, {over})", f"{r.choice(['cummax', 'cummin'])}({x}, {over})",
            f"logcumsumexp({exact}, {over})"])

    def summarised(self, x):
        """What describes an array, or is counted in it: the latter of exact numbers."""
        r = self.random
        axis = r.choice(["0", "1", "-1", "2"])
        over = r.choice([axis, "none"])
        y, z, keep = self.name(), self.name(), r.choice(["true", "false"])
        mode = r.choice(['"full"', '"same"', '"valid"'])
        return r.choice([
            f"median({x}, axis={over}, keepdims={keep})", f"quantile({x}, {r.choice(['0.3', '1'])}, axis={over})",
            f"percentile({x}, [25.0, 60.0], axis={over}, keepdims={keep})",
            f"nan{r.choice(['sum', 'mean', 'max', 'min'])}({x}, axis={self.axis()}, keepdims={keep})",
            f"nanprod({y}, axis={self.axis()})", f"nan{r.choice(['var', 'std'])}({y}, axis={over}, ddof={r.choice('01')})",
            f"trapezoid({x}, {r.choice(['1', '0.5'])}, {axis})", f"trapezoid({y}, {z}, {axis})",
            f"sort(partition({y}, {r.choice(['0', '1', '-1', '3'])}, {axis}), {axis})",
            f"histogram({y}, {r.choice(['1', '4', '0'])})[{r.choice('01')}]", f"histogram({y}, 3, [-1.0, 2.5])[0]",
            f"bincount(abs({y}))", f"bincount(int64({y}), none, 3)", f"bincount(abs({y}), {z})", f"nonzero({y})[{axis}]",
            f"unique({y})", f"unique_counts({y})[1]", f"unique_inverse({y})[{r.choice('01')}]", f"isin({y}, {z})",
            f"convolve({y}, {z}, {mode})", f"correlate({y}, {z}, {mode})"])

    def made(self, x):
        """An array made after another, or of diagonals."""
        r = self.random
        k = r.choice(["0", "1", "-1", "2", "-5"])
        ij = r.choice(["", ', "ij"'])
        return r.choice([
            f"{r.choice(['zeros', 'ones'])}_like({x})", f"full_like({x}, {r.choice(['2', '1.5', 'true'])})",
            f"tril({x}, {k})", f"triu({x}, {k})", f"diag({x}, {k})", f"diagonal({x}, {k})",
            f"diagonal({x}, {k}, {r.choice(['-1', '1'])}, {r.choice(['0', '-2', '2'])})", "identity(3)", f"tri(3, 4, {k})",
            f"meshgrid([{x}, {self.name()}, arange(2)]{ij})[{r.choice('012')}]",
            f"one_hot(int64({x}), 4)", f"vander({x}, {r.choice(['3', '0', 'none'])}, {r.choice(['true', 'false'])})"])

    def product(self):
        """A product of small arrays: more would give large ones."""
        r = self.random
        x, y = self.name(), self.name()
        axis = r.choice(["0", "-1", "1"])
        return r.choice([
            f"outer({x}, {y})", f"inner({x}, {y})", f"inner({x}, {x})", f"vecdot({x}, {y}, axis={axis})",
            f"vecdot({x}, {x}, axis={axis})", f"tensordot({x}, {y}, {r.choice('01')})", f"tensordot({x}, {y})",
            f"tensordot({x}, {y}, [[0], [{axis}]])", f"tensordot({x}, {x}, [[0, 1], [0, 1]])", f"kron({x}, {y})",
            f"cross({x}, {y})", f"cross({x}, {x} + 1)"])

    def linear_algebra(self):
        """What is unique, of matrices that are not close to singular ones. Nothing is computed with it that jumps, such
        as floor, which would show in which order sums were made."""
        text = self.of_matrices()
        return f"{self.random.choice(['sum', 'mean', 'max'])}({text})" if self.random.random() < 0.3 else text

    def of_matrices(self):
        r = self.random
        x = r.choice([name for name, value in self.variables.items() if value.ndim > 1 and value.size > 0])
        rows = self.variables[x].shape[-2]
        positive = f"({x} @ matrix_transpose({x}) + 5 * eye({rows}))"
        regular = f"(tril({positive}) - triu({positive}, 1))"
        some = r.choice([x, positive, regular, self.name()])
        n = r.choice(["0", "1", "2", "3", "-1", "-2"])
        order = r.choice(['"fro"', '"nuc"', "1", "-1", "2", "-2", "inf", "-inf"])
        return r.choice([
            f"cholesky({r.choice([positive, x])})", f"solve({r.choice([positive, regular, x])}, {x})",
            f"solve({regular}, eye({rows}))", f"inv({r.choice([positive, regular, x])})",
            f"det({r.choice([positive, regular, x])})", f"slogdet({regular})[{r.choice('01')}]",
            f"(lu({some})[0] @ lu({some})[1] @ lu({some})[2])", f"(qr({some})[0] @ qr({some})[1])", f"abs(qr({x})[1])",
            f"((svd({some}, false)[0] * svd({some}, false)[1][..., newaxis, :]) @ svd({some}, false)[2])",
            f"svdvals({some})", f"eigvalsh({positive})", f"eigh({positive})[0]", f"pinv({some}, 1e-3)",
            f"matrix_rank({r.choice([x, positive])})", f"matrix_power({r.choice([regular, x])}, {n})", f"cond({r.choice([positive, regular])}, {order})",
            *([f"lstsq({x}, {positive})[{r.choice('03')}]"] if self.variables[x].ndim == 2 else []), f"trace({some}, {n})", f"matrix_transpose({some})",
            f"matrix_norm({some}, {r.choice(['true', 'false'])}, {order})", f"multi_dot([{x}, {self.name()}, {self.name()}])",
            f"vector_norm({some}, {r.choice(['0', '1', '-1', 'none'])}, true, {r.choice(['0', '1', '2', '3', 'inf', '-inf'])})"])

    def expression(self):
        if self.random.random() < 0.1:
            return self.picked()
        text = self.array(self.random.randint(1, 3))
        if self.random.random() < 0.3:
            name = self.random.choice(["sum", "prod", "mean", "max", "min", "any", "all", "argmax", "argmin", "var", "std"])
            axis = self.random.choice(["0", "1", "-1", "none"])
            text = f"{name}({text}, axis={axis})"
        return text


def array_of(value):
    numbers = value["data"]
    special = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}

    def plain(x):
        return [plain(one) for one in x] if isinstance(x, list) else special.get(x, x)

    return np.array(plain(numbers), dtype=value["dtype"]).reshape(value["shape"])


def value_of(text, variables):
    names = {**NUMPY, **variables, "copy": np.copy}
    *before, last = text.split("; ")
    for one in before:
        exec(one, names)
    return np.asarray(eval(last, names))


def equal(text, ours, numpys):
    if ours.shape != numpys.shape:
        return "shape"
    if not np.issubdtype(numpys.dtype, np.floating):
        return "" if np.array_equal(ours, numpys) else "values"
    single = any(one in text for one in ("f32", "float32", "eye", "linspace", "identity", "tri(", "one_hot"))
    tolerance = 2e-4 if single else 1e-9
    scale = np.abs(numpys[np.isfinite(numpys)]).max(initial=1.0)
    return "" if np.allclose(ours, numpys, rtol=tolerance, atol=tolerance * scale, equal_nan=True) else "values"


def main():
    troupe = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    g = Generator(seed)
    lines = g.make_variables()
    expressions = [g.expression() for _ in range(count)] + [g.linear_algebra() for _ in range(count // 5)]
    ran = subprocess.run([troupe, "--json"], input="\n".join(lines + expressions) + "\n", text=True,
                         capture_output=True, timeout=600)
    answers = {}
    for line in ran.stdout.splitlines():
        answer = json.loads(line)
        answers.setdefault(answer["input"], answer)  # a later one says which failures nobody read
    different = errors = values = 0
    for i, text in enumerate(expressions):
        ours = answers.get(len(lines) + i + 1)
        try:
            numpys = value_of(text, g.variables)
        except Exception as e:
            numpys = e
        problem = ""
        if ours is None:
            problem = "no answer"
        elif isinstance(numpys, Exception):
            errors += 1
            nothing = ("bounds" in str(numpys) or "zero-size" in str(numpys)) and 0 in ours.get("value", {}).get("shape", [])
            nothing |= text.startswith("array_equal")  # shapes that differ need no elements
            if "error" not in ours and not nothing:  # of a result without elements
                problem = f"NumPy says {numpys}, we {ours['value']}"
        elif "error" in ours:
            problem = f"we say {ours['error']}, NumPy {numpys.dtype}{numpys.tolist()}"
        else:
            values += 1
            mine = array_of(ours["value"])
            what = equal(text, mine, numpys)
            if what:
                problem = f"{what}: we {mine.dtype}{mine.tolist()}, NumPy {numpys.dtype}{numpys.tolist()}"
            elif mine.dtype != numpys.dtype:
                problem = f"dtype: we {mine.dtype}, NumPy {numpys.dtype}"
        if problem:
            different += 1
            if different <= 40:
                print(f"{text}\n    {problem[:300]}")
    print(f"{values} values and {errors} errors of {len(expressions)} expressions, seed {seed}: {different} differ")
    sys.exit(1 if different or values < count // 3 else 0)


main()
