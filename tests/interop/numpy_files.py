#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""NumPy reads what troupe writes, and troupe what NumPy writes.

Usage: numpy_files.py <the program of array_files.cpp>
"""
import io
import os
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

program = sys.argv[1]
checked = 0


def same(got, wanted, what):
    """Equal in dtype, shape and every bit."""
    global checked
    wanted = np.asarray(wanted)
    assert got.dtype == wanted.dtype, f"{what}: {got.dtype}, not {wanted.dtype}"
    assert got.shape == wanted.shape, f"{what}: {got.shape}, not {wanted.shape}"
    assert got.tobytes() == wanted.tobytes(), f"{what}: {got}, not {wanted}"
    checked += 1


def run(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=120)


def must_run(*words):
    done = run(*words)
    assert done.returncode == 0, f"{words}: {done.stderr}"


def known_arrays():
    """Those of known_arrays in array_files.cpp."""
    out = {}
    for name in ("bool int32 int64 uint64 float32 float64 float16 int8 int16 uint8 uint16 "
                 "uint32 complex64 complex128").split():
        x = (np.arange(24).reshape(2, 3, 4) - 5).astype(name)
        out["all " + name] = x
        out["scalar " + name] = np.ones((), name)
        out["empty " + name] = np.zeros((0, 3), name)
        out["turned " + name] = x.T
        out["some " + name] = x[:, ::-2, 1:3]
    out["hard float64"] = np.array([np.nan, np.inf, -np.inf, -0.0, 0.1, 5e-324])
    out["hard int64"] = np.array([-(2**63), 2**63 - 1])
    out["n\u00e4me"] = np.ones(2, "float32")
    return out


def numpy_reads(folder):
    must_run("write", folder)
    known = known_arrays()
    for name, wanted in known.items():
        same(np.load(f"{folder}/{name}.npy"), wanted, name)
    for file in "all.npz", "compressed.npz":
        path = f"{folder}/{file}"
        assert zipfile.ZipFile(path).testzip() is None, file
        got = np.load(path)
        assert got.files == list(known), f"{file}: {got.files}"
        for name, wanted in known.items():
            same(got[name], wanted, f"{name} in {file}")


def read_as(dtype):
    """The dtype that troupe reads one as; None if it refuses."""
    known = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
    known += "complex64 complex128"
    return dtype if dtype in known.split() else None


def forms_of(dtype):
    """Arrays of a dtype that lie in memory in every way."""
    for order in "<>":
        x = (np.arange(24).reshape(2, 3, 4) - 5).astype(np.dtype(dtype).newbyteorder(order))
        yield from (x, x.T, np.asfortranarray(x), x[0], x[:, 1:1], x[1:, 2, 3].reshape(()),
                    x[::-1, :, ::2])


def numpy_writes(folder):
    source, copy = f"{folder}/from.npy", f"{folder}/to.npy"
    for dtype in ("bool int8 int16 int32 int64 uint8 uint16 uint32 float16 float32 float64 "
                  "uint64 complex64 complex128 longdouble U3 S3 M8[s] O").split():
        target = read_as(dtype)
        forms = list(forms_of(dtype))
        if target is None:
            np.save(source, forms[0], allow_pickle=True)
            done = run("copy_npy", source, copy)
            assert done.returncode == 1 and "load_npy: " in done.stderr, (dtype, done)
            continue
        paths = [(f"{folder}/from{i}.npy", f"{folder}/to{i}.npy") for i in range(len(forms))]
        for form, (path, _) in zip(forms, paths):
            np.save(path, form)
        must_run("copy_npy", *(path for pair in paths for path in pair))
        for form, (_, path) in zip(forms, paths):
            same(np.load(path), form.astype(target), f"{form.dtype} {form.shape}")
    for version in (1, 0), (2, 0), (3, 0):
        with open(source, "wb") as file:
            np.lib.format.write_array(file, np.arange(3.0), version=version)
        must_run("copy_npy", source, copy)
        same(np.load(copy), np.arange(3.0), f"version {version}")


def numpy_writes_archives(folder):
    known = known_arrays()
    large = {"zeros": np.zeros((1000, 1000)), "noise": np.random.default_rng(0).random(100_000)}
    for save in np.savez, np.savez_compressed:
        source, copy = f"{folder}/from.npz", f"{folder}/to.npz"
        save(source, **known, **large)
        for command in "copy_npz", "copy_npz_compressed":
            must_run(command, source, copy)
            got = np.load(copy)
            assert got.files == list(known) + list(large)
            for name, wanted in {**known, **large}.items():
                same(got[name], wanted, f"{name} after {command}")
    # A name that only fits Zip64's fields, as zipfile writes sizes that it cannot know in advance.
    one = io.BytesIO()
    np.save(one, np.arange(5))
    with zipfile.ZipFile(source, "w") as archive:
        with archive.open("a.npy", "w", force_zip64=True) as entry:
            entry.write(one.getvalue())
    must_run("copy_npz", source, copy)
    same(np.load(copy)["a"], np.arange(5), "Zip64")


for check in numpy_reads, numpy_writes, numpy_writes_archives:
    with tempfile.TemporaryDirectory() as folder:
        check(folder)
print(f"{checked} arrays are the same in NumPy {np.__version__} and troupe")
