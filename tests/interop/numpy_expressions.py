#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Random expressions of the shell give what NumPy gives: values, dtype and shape, or an error where NumPy has one.

Usage: numpy_expressions.py PATH_OF_TROUPE [COUNT [SEED]]
"""
import random
import sys

import numpy as np
from shell_answers import answers_of, numbers_in

sys.dont_write_bytecode = True
from numpy_words import BINARY, NUMPY, UNARY

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
            op = r.choice("+ - * / // % == != < <= > >= & | ^ << >>".split())
            left, right = a(), r.choice([a, a, self.number])()
            if r.random() < 0.15:
                left, right = right, left
            if op in ("//", "%", "<<", ">>"):
                left = f"({left}) + 0"  # of two bools NumPy makes int8, which we have not
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
        if r.random() < 0.5:
            return self.of_elements()
        return r.choice([f"(-{a()})", f"(~{a()})", f"take({a()}, [1, 0, -1], axis={r.choice(['0', '1', '-1', 'none'])})",
                         f"clip({a()}, -1, 2)", f"round({a()})"])

    def of_elements(self):
        """An elementwise function of exact numbers."""
        r = self.random
        x, y, z = self.name(), self.name(), self.name()
        return r.choice([
            f"round({x}, {r.choice(['0', '1', '2', '-1'])})",
            f"divmod({x} + 0, {y})[{r.choice('01')}]",
            f"nan_to_num({x} / {r.choice([y, '0'])}{r.choice([', 0, 7, -7', ', 1, 2.5, -3'])})",
            f"lerp({x}, {y}, {r.choice([z, '0.25'])})", f"bitwise_left_shift({x} + 0, {y})",
            f"bitwise_right_shift({x} + 0, {y})"])

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
            f"broadcast_arrays({x}, {self.name()})[{r.choice('01')}]",
            f"pad({x}, {r.choice(['1', '(1, 2)', '[[1, 0], [0, 2]]', '[[0, 3]]', '7'])}, "
            f"mode=\"{r.choice(['edge', 'reflect', 'symmetric', 'wrap'])}\")",
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
            f"nanmedian({x}, axis={over}, keepdims={keep})",
            f"nanquantile({y}, [0.3, 1.0], axis={over})", f"nanpercentile({x}, 40, axis={over})",
            f"nanarg{r.choice(['max', 'min'])}({y}, axis={over})",
            f"nancum{r.choice(['sum', 'prod'])}({y}, axis={over})",
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

    def equation(self):
        """Sums of products that an equation names: mostly of operands that have such axes."""
        r = self.random
        letters, sizes, terms, names = list("ijkaB"), {}, [], []
        for _ in range(r.choice([1, 2, 2, 2, 3, 4])):
            name = self.name()
            term, shape = "", self.variables[name].shape
            free = r.randint(0, len(shape)) if r.random() < 0.2 else len(shape)
            for size in shape[:free]:
                fit = [c for c in letters if size == 1 or sizes.get(c, size) in (1, size)]
                c = r.choice(fit or letters) if r.random() < 0.95 else r.choice(letters)
                sizes[c] = max(size, sizes.get(c, 1))
                term += c
            terms.append(term + ("..." if free < len(shape) or r.random() < 0.05 else ""))
            names.append(name)
        used = sorted(set("".join(terms)) - {"."})
        output = "".join(r.sample(used, r.randint(0, len(used)))) if used else ""
        if "..." in "".join(terms) and r.random() < 0.9:
            output = r.choice(["..." + output, output + "..."])
        text = ",".join(terms) + r.choice(["->" + output, "->" + output, ""])
        return f'einsum("{text}", {", ".join(names)})'

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
        if self.random.random() < 0.07:
            return self.equation()
        text = self.array(self.random.randint(1, 3))
        if self.random.random() < 0.3:
            name = self.random.choice(["sum", "prod", "mean", "max", "min", "any", "all", "argmax", "argmin", "var", "std"])
            axis = self.random.choice(["0", "1", "-1", "none"])
            text = f"{name}({text}, axis={axis})"
        return text


def array_of(value):
    return np.array(numbers_in(value["data"]), dtype=value["dtype"]).reshape(value["shape"])


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
    answers = answers_of(troupe, lines + expressions)
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
            nothing |= "setting an array element" in str(numpys)  # of one element, with a list of one
            nothing |= "zero-size" in str(numpys) and text.startswith(("any(", "all(", "sum(", "prod("))  # of nothing
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
