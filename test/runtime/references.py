# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plans compute, in numpy and f64, written for clarity."""

from __future__ import annotations

import itertools
from math import erf, pi, sqrt

import numpy as np


def apply_post_ops(x, ops, held=None):
    for name, alpha, beta, operand in ops:
        if name == "relu":
            x = np.where(x > 0, x, alpha * x)
        elif name == "gelu_erf":
            x = x * (1 + np.vectorize(erf, otypes=[float])(x / sqrt(2))) / 2
        elif name == "gelu_tanh":
            x = x * (1 + np.tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))) / 2
        elif name == "tanh":
            x = np.tanh(x)
        elif name == "logistic":
            x = 1 / (1 + np.exp(-x))
        elif name == "swish":
            x = x / (1 + np.exp(-alpha * x))
        elif name == "linear":
            x = alpha * x + beta
        elif name == "clip":
            x = np.clip(x, alpha, beta)
        elif name == "elu":
            x = np.where(x > 0, x, alpha * np.expm1(x))
        elif name == "hardswish":
            x = x * np.clip(alpha * x + beta, 0, 1)
        elif name == "add":
            x = x + operand.astype(np.float64)
        elif name == "sub":
            x = x - operand.astype(np.float64)
        elif name == "mul":
            x = x * operand.astype(np.float64)
        elif name == "sum":
            x = x + alpha * held
        else:
            raise ValueError(name)
    return x


class Window:
    """The geometry that convolution and pooling share."""

    def __init__(self, size, window, strides, dilations, begin, end):
        self.size, self.window, self.strides, self.dilations = size, window, strides, dilations
        self.begin, self.end = begin, end
        self.out = tuple(
            (n + b + e - ((k - 1) * d + 1)) // s + 1
            for n, k, s, d, b, e in zip(size, window, strides, dilations, begin, end)
        )

    def pad(self, x, value=0.0):
        # Padded further at the end, so that every tap can be taken as one strided slice.
        widths = [(0, 0), (0, 0)] + [(b, e + s) for b, e, s in zip(self.begin, self.end, self.strides)]
        return np.pad(x, widths, constant_values=value)

    def taps(self):
        """(position in the window, slice of the padded input that meets it)."""
        for tap in itertools.product(*(range(k) for k in self.window)):
            where = tuple(
                slice(t * d, t * d + (o - 1) * s + 1, s)
                for t, d, o, s in zip(tap, self.dilations, self.out, self.strides)
            )
            yield tap, (slice(None), slice(None), *where)

    def unpad(self, x):
        return x[(slice(None), slice(None), *(slice(b, b + n) for b, n in zip(self.begin, self.size)))]


def conv(src, weights, window: Window, groups):
    padded = window.pad(src.astype(np.float64))
    dst = np.zeros((src.shape[0], weights.shape[0], *window.out))
    for i, o in _channels(src.shape[1], weights.shape[0], groups):
        for tap, where in window.taps():
            part = padded[where][:, i]
            dst[:, o] += np.einsum("ni...,oi->no...", part, weights[(o, slice(None), *tap)].astype(np.float64))
    return dst


def conv_backward(src, weights, diff, window: Window, groups):
    """Gradients of src and weights."""
    diff, weights = diff.astype(np.float64), weights.astype(np.float64)
    padded = window.pad(src.astype(np.float64))
    padded_grad, weights_grad = np.zeros_like(padded), np.zeros_like(weights)
    for i, o in _channels(src.shape[1], weights.shape[0], groups):
        for tap, where in window.taps():
            padded_grad[where][:, i] += np.einsum("no...,oi->ni...", diff[:, o], weights[(o, slice(None), *tap)])
            axes = (0, *range(2, diff.ndim))
            weights_grad[(o, slice(None), *tap)] = np.tensordot(diff[:, o], padded[where][:, i], (axes, axes))
    return window.unpad(padded_grad), weights_grad


def _channels(inputs, outputs, groups):
    i, o = inputs // groups, outputs // groups
    return [(slice(g * i, (g + 1) * i), slice(g * o, (g + 1) * o)) for g in range(groups)]


MAX, AVERAGE_INSIDE, AVERAGE_WINDOW = 1, 2, 3


def _divisor(mode, src, window: Window):
    if mode == AVERAGE_WINDOW:
        return float(np.prod(window.window))
    ones = window.pad(np.ones((1, 1, *src.shape[2:])))
    return sum(ones[where] for _, where in window.taps())


def pool(mode, src, window: Window):
    src = src.astype(np.float64)
    if mode == MAX:
        padded = window.pad(src, -np.inf)
        return np.max([padded[where] for _, where in window.taps()], axis=0)
    padded = window.pad(src)
    return sum(padded[where] for _, where in window.taps()) / _divisor(mode, src, window)


def pool_backward(mode, src, diff, window: Window):
    diff = diff.astype(np.float64)
    grad = np.zeros_like(window.pad(src.astype(np.float64)))
    if mode == MAX:
        padded = window.pad(src.astype(np.float64), -np.inf)
        first = np.argmax([padded[where] for _, where in window.taps()], axis=0)
        for index, (_, where) in enumerate(window.taps()):
            grad[where] += np.where(first == index, diff, 0)
    else:
        for _, where in window.taps():
            grad[where] += diff / _divisor(mode, src, window)
    return window.unpad(grad)


def batch_norm(src, scale, shift, epsilon):
    axes = (0, *range(2, src.ndim))
    src = src.astype(np.float64)
    mean, variance = src.mean(axes), src.var(axes)
    shape = (1, -1) + (1,) * (src.ndim - 2)
    normal = (src - mean.reshape(shape)) / np.sqrt(variance.reshape(shape) + epsilon)
    return scale.reshape(shape) * normal + shift.reshape(shape), mean, variance


def batch_norm_backward(src, scale, diff, epsilon):
    axes = (0, *range(2, src.ndim))
    src, diff = src.astype(np.float64), diff.astype(np.float64)
    shape = (1, -1) + (1,) * (src.ndim - 2)
    mean, variance = src.mean(axes).reshape(shape), src.var(axes).reshape(shape)
    inverse = 1 / np.sqrt(variance + epsilon)
    normal = (src - mean) * inverse
    scale_grad, shift_grad = (diff * normal).sum(axes), diff.sum(axes)
    count = src.size / src.shape[1]
    src_grad = scale.reshape(shape) * inverse * (
        diff - shift_grad.reshape(shape) / count - normal * scale_grad.reshape(shape) / count
    )  # fmt: skip
    return src_grad, scale_grad, shift_grad
