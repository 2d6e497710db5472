# SPDX-License-Identifier: MIT
"""The shell's words in NumPy: NUMPY, by name."""
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
         "logical_not", "sign", "square", "log1p", "expm1", "signbit", "isposinf", "isneginf", "positive"]
BINARY = ["maximum", "minimum", "arctan2", "hypot", "logical_and", "logical_or", "fmod", "copysign", "nextafter"]

NUMPY = {name: getattr(np, name) for name in UNARY + BINARY}
NUMPY |= {name: float_of_bool(NUMPY[name]) for name in UNARY + BINARY
          if name not in ("isnan", "logical_not", "logical_and", "logical_or", "abs", "maximum", "minimum",
                          "square", "sign", "fmod", "signbit", "isposinf", "isneginf", "positive")}
NUMPY["fmod"] = lambda x, y: np.fmod(
    x, np.asarray(y, np.asarray(x).dtype if np.asarray(x).dtype.kind == "f" else np.int32)
    if np.asarray(y).dtype == bool else y)
NUMPY["square"] = lambda x: np.square(np.asarray(x, np.int32) if np.asarray(x).dtype == bool else x)
NUMPY |= {name: rounding(getattr(np, name)) for name in ("floor", "ceil", "trunc", "round")}
NUMPY |= reductions()


def lerp(x, y, w):
    kind = np.result_type(*(one for one in (x, y, w) if isinstance(one, np.ndarray)))
    x, y, w = (np.asarray(one, kind if kind.kind == "f" else np.float64) for one in (x, y, w))
    return x + w * (y - x)


def round_to(x, decimals=0):
    whole = x.astype(np.int64) if x.dtype == bool and decimals < 0 else x
    return x if x.dtype.kind in "bi" and decimals >= 0 else np.round(whole, decimals)


NUMPY |= {
    "round": round_to, "divmod": np.divmod, "bitwise_left_shift": np.left_shift, "bitwise_right_shift": np.right_shift,
    "nan_to_num": lambda x, nan=0, posinf=None, neginf=None: np.nan_to_num(x, True, nan, posinf, neginf),
    "lerp": lerp,
}
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


def meshgrid(*vectors, indexing="xy"):
    if isinstance(vectors[0], list):
        vectors, indexing = vectors[0], vectors[1] if len(vectors) > 1 else indexing
    if any(np.ndim(one) > 1 for one in vectors):
        raise ValueError("refused")
    return np.meshgrid(*vectors, indexing=indexing)


def pad(x, widths, value=0, mode="constant"):
    if mode == "wrap":  # NumPy before 1.25 repeats what is wider than the array in another way
        pairs = np.broadcast_to(np.asarray(widths), (np.ndim(x), 2))
        if any(n == 0 and sum(two) > 0 for n, two in zip(np.shape(x), pairs)):
            raise ValueError("refused")
        for axis, (n, (before, behind)) in enumerate(zip(np.shape(x), pairs)):
            x = np.take(x, np.arange(-before, n + behind) % max(n, 1), axis)
        return x
    if mode == "constant":
        return np.pad(x, widths, constant_values=value)
    return np.pad(x, widths, mode=mode)


def einsum(equation, *operands):
    """NumPy's, which reads beyond the end of a diagonal of no elements."""
    for term, x in zip(equation.split("->")[0].split(","), operands):
        sizes = {}
        if "..." not in term and len(term) == x.ndim and any(sizes.setdefault(c, n) != n for c, n in zip(term, x.shape)):
            raise ValueError("refused")
    return np.einsum(equation, *operands)


def not_three(x, y):
    return x.shape[-1] != 3 or y.shape[-1] != 3


NUMPY |= {name: getattr(np, name) for name in
          ("flip", "roll", "tile", "moveaxis", "rot90", "atleast_1d", "atleast_2d", "atleast_3d", "zeros_like",
           "ones_like", "full_like", "diag", "diagonal", "vander", "outer", "inner", "tensordot", "kron",
           "isclose")}
NUMPY |= {
    "einsum": einsum,
    "repeat_each": lambda x, count, axis=None: np.repeat(np.zeros(1) if count < 0 else x, count, axis),
    "allclose": lambda *given, **more: np.asarray(np.allclose(*given, **more)),
    "array_equal": lambda x, y: np.asarray(np.array_equal(x, y)),
    "unstack": lambda x, axis=0: list(np.moveaxis(x, axis, 0)),
    "broadcast_arrays": lambda *all: np.broadcast_arrays(*(all[0] if len(all) == 1 else all)),
    "diff": lambda x, times=1, axis=-1: np.diff(np.swapaxes(x, axis, -1), times).swapaxes(axis, -1),
    "pad": pad,
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


def place_without_nan(f):
    """Where f finds the element: -1 if all are NaN, which NumPy refuses."""
    def call(x, axis=None):
        x = np.asarray(x)
        lost = np.isnan(x).all(axis)
        safe = np.where(np.expand_dims(lost, axis) if axis is not None else lost, 0, x)
        return np.where(lost, -1, f(safe, axis=axis))
    return call


def unique_inverse(x):
    values, inverse = np.unique(x, return_inverse=True)
    return [values, inverse.reshape(np.shape(x))]


NUMPY |= {
    "median": some(np.median), "quantile": some(np.quantile), "percentile": some(np.percentile),
    "nanmedian": some(np.nanmedian), "nanpercentile": some(np.nanpercentile),
    # Of no elements, NumPy's forgets how many there are of q.
    "nanquantile": some(
        lambda x, *more, **how: (np.nanquantile if x.size else np.quantile)(x, *more, **how)),
    "nanargmax": place_without_nan(np.nanargmax), "nanargmin": place_without_nan(np.nanargmin),
    "nancumsum": on_axes(np.nancumsum), "nancumprod": on_axes(np.nancumprod),
    "partition": partition, "trapezoid": trapezoid,
    "histogram": lambda x, bins, range=None: np.histogram(x, bins, range),
    "bincount": bincount,
    "nonzero": refusing(np.nonzero, lambda x: x.ndim == 0), "unique": np.unique, "isin": np.isin,
    "unique_counts": lambda x: np.unique(x, return_counts=True), "unique_inverse": unique_inverse,
    "convolve": np.convolve, "correlate": np.correlate,
}
NUMPY |= {name: on_axes(lambda x, f=getattr(np, name), **more: f(np.asarray(x), **more))
          for name in ("nansum", "nanprod", "nanmean", "nanmax", "nanmin", "nanvar", "nanstd")}
