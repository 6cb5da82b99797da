#!/usr/bin/env python3
"""Trains the 784-128-10 perceptron of digits-mlp.mlir on drawn digits. Needs NumPy only.

    train_digits.py TRAIN.npz TEST.npz OUT.npz

TRAIN and TEST hold x (samples x 784 pixels in 0..1, any shape) and y (class indices), as
`spindle dataset` writes them. OUT holds the arguments of @main: arg1 and arg2 are weight and bias
of the first layer, arg3 and arg4 of the second. The weights are multiples of 2^-8, so that the file
stays small; the accuracy printed is that of the rounded network in float32.
"""
import sys

import numpy as np

HIDDEN, EPOCHS, BATCH, RATE, DECAY, SEED = 128, 20, 100, 2e-3, 2e-4, 1
GRID = 2.0**-8


def load(path):
    archive = np.load(path)
    return archive["x"].reshape(len(archive["x"]), -1).astype(np.float32), archive["y"]


def forward(x, w1, b1, w2, b2):
    hidden = np.maximum(x @ w1.T + b1, 0)
    return hidden, hidden @ w2.T + b2


def accuracy(x, y, parameters):
    return float(np.mean(np.argmax(forward(x, *parameters)[1], axis=1) == y))


def gradients(x, y, parameters):
    """Of the mean cross-entropy, plus weight decay: unused border pixels end at weight zero."""
    w1, b1, w2, b2 = parameters
    hidden, scores = forward(x, *parameters)
    error = np.exp(scores - scores.max(axis=1, keepdims=True))
    error /= error.sum(axis=1, keepdims=True)
    error[np.arange(len(y)), y] -= 1
    error /= len(y)
    back = (error @ w2) * (hidden > 0)
    return [back.T @ x + DECAY * w1, back.sum(axis=0), error.T @ hidden + DECAY * w2, error.sum(axis=0)]


def train(x, y):
    random = np.random.default_rng(SEED)
    # He initialisation, for the pixels that are ever set.
    used = (x.max(axis=0) > 0).astype(np.float32)
    w1 = random.standard_normal((HIDDEN, x.shape[1]), np.float32) * np.sqrt(2 / used.sum()) * used
    w2 = random.standard_normal((10, HIDDEN), np.float32) * np.sqrt(2 / HIDDEN)
    parameters = [w1, np.zeros(HIDDEN, np.float32), w2, np.zeros(10, np.float32)]
    parameters = [p.astype(np.float32) for p in parameters]
    first = [np.zeros_like(p) for p in parameters]  # Adam's moments
    second = [np.zeros_like(p) for p in parameters]
    step, steps = 0, EPOCHS * (len(x) // BATCH)
    for _ in range(EPOCHS):
        order = random.permutation(len(x))
        for start in range(0, len(x) - BATCH + 1, BATCH):
            batch = order[start : start + BATCH]
            rate = RATE * (1 - step / steps)
            step += 1
            for p, g, m, v in zip(parameters, gradients(x[batch], y[batch], parameters), first, second):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                p -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return parameters


def main():
    x, y = load(sys.argv[1])
    test_x, test_y = load(sys.argv[2])
    parameters = train(x, y)
    rounded = [(np.round(p / GRID) * GRID).astype(np.float32) for p in parameters]
    print(f"trained on {len(x)} images: accuracy {accuracy(x, y, parameters):.4f}")
    print(f"tested on {len(test_x)} images: accuracy {accuracy(test_x, test_y, parameters):.4f}, "
          f"rounded to 2^-8 {accuracy(test_x, test_y, rounded):.4f}")
    np.savez_compressed(sys.argv[3], **{f"arg{i + 1}": p for i, p in enumerate(rounded)})


if __name__ == "__main__":
    main()
