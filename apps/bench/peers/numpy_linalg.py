#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""NumPy's linear algebra in one thread, for the benchmarks. Speaks as the programs that use serve.hpp do."""

import os
import statistics
import sys
import time

DEBIANS = "/usr/bin/python3"

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
with open("/proc/cpuinfo") as info:
    if "avx512vl" in info.read():  # OpenBLAS before 0.3.22 does not find this for newer CPUs
        os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
try:
    import numpy as np
except ImportError:
    if sys.executable == DEBIANS or not os.path.exists(DEBIANS):
        sys.exit(1)
    os.execv(DEBIANS, [DEBIANS] + sys.argv)

SIZE = 1000
random = np.random.default_rng(1)
general = random.standard_normal((SIZE, SIZE))
positive = general @ general.T + SIZE * np.identity(SIZE)
symmetric = general + general.T
vector = random.standard_normal(SIZE)

CASES = {
    "solve": lambda: np.linalg.solve(general, vector),
    "cholesky": lambda: np.linalg.cholesky(positive),
    "svd": lambda: np.linalg.svd(general),
    "eigh": lambda: np.linalg.eigh(symmetric),
}


def median_seconds(count, work):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def several(count):
    start = time.perf_counter()
    for _ in range(count):
        CASES["eigh"]()
    return time.perf_counter() - start


def measure(case, count):
    if case == "eighs":
        return several(count)
    return median_seconds(count, CASES[case]) if case in CASES else "unknown"


def serve():
    print(f"NumPy {np.__version__}, 1 thread", flush=True)
    for line in sys.stdin:
        case, count = line.split()
        print(measure(case, int(count)), flush=True)


serve()
