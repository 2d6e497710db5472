#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PyTorch on a GPU, for the benchmarks. Speaks as the programs that use serve.hpp do; says nothing where it cannot run."""

import sys
import time

try:
    import torch
except (ImportError, OSError):
    sys.exit(1)
if not torch.cuda.is_available():
    sys.exit(1)

GPU = torch.device("cuda:0")


def seconds_until_done(work):
    """How long it takes until `work`, and all that it puts on the GPU, is done."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    work()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def chain(count):
    x = torch.ones(1, 2, device=GPU)

    def work():
        y = x
        for _ in range(count):
            y = y + 1

    with torch.inference_mode():
        return seconds_until_done(work)


def softmax(count):
    x = torch.rand(8192, 8192, device=GPU)

    def work():
        for _ in range(count):
            torch.softmax(x, 1)

    with torch.inference_mode():
        return seconds_until_done(work)


def gelu(count):
    x = torch.rand(8192, 8192, device=GPU)

    def work():
        for _ in range(count):
            x * 0.5 * (torch.tanh(0.79788456 * (x + 0.044715 * x * x * x)) + 1)

    with torch.inference_mode():
        return seconds_until_done(work)


def train(batches):
    """The network and the loop of training.cpp, without a sync point before its end."""
    nn = torch.nn
    net = nn.Sequential(
        nn.Linear(512, 2048), nn.ReLU(), nn.Linear(2048, 512), nn.ReLU(), nn.Linear(512, 1)
    ).to(GPU)
    optimiser = torch.optim.SGD(net.parameters(), lr=0.005)

    def work():
        for _ in range(batches):
            x = torch.randn(1024, 512, device=GPU)
            y = torch.randn(1024, 1, device=GPU)
            optimiser.zero_grad()
            loss = nn.functional.mse_loss(net(x), y) * 0.5
            loss.backward()
            optimiser.step()

    return seconds_until_done(work)


CASES = {
    "gpu_chain_torch": chain,
    "gpu_gelu_torch": gelu,
    "gpu_softmax": softmax,
    "gpu_train": train,
}


def serve():
    torch.set_float32_matmul_precision("highest")  # float32, as ours is, not TF32
    name = torch.cuda.get_device_name(GPU)
    print(f"PyTorch {torch.__version__}, eager, {name}", flush=True)
    for line in sys.stdin:
        case, count = line.split()
        print(CASES[case](int(count)) if case in CASES else "unknown", flush=True)


serve()
