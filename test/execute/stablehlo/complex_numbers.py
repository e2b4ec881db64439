# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers: as arguments and results, their functions, and their matrices."""

import jax.numpy as jnp
import numpy as np
from cases import c, case, f, i
from jax import lax

X = "complex"
case(X, "parts", lambda x, y: lax.real(lax.complex(x, y) * lax.complex(y, x)), f(5), f(5))
case(X, "abs", lambda x, y: lax.abs(lax.complex(x, y)), f(5, lo=0.5), f(5, lo=0.5))
case(X, "exp", lambda x, y: lax.imag(lax.exp(lax.complex(x, y))), f(5), f(5))
case(X, "conj_matmul", lambda x, y: lax.real(jnp.conj(lax.complex(x, y)).T @ lax.complex(x, y)), f(3, 4), f(3, 4))
for name, op in (
    ("exp", lax.exp), ("expm1", lax.expm1), ("log", lax.log), ("log1p", lax.log1p), ("sqrt", lax.sqrt), ("rsqrt", lax.rsqrt), ("cbrt", lambda x: x ** (1 / 3)),
    ("sin", lax.sin), ("cos", lax.cos), ("tan", lax.tan), ("tanh", lax.tanh), ("logistic", lax.logistic), ("sinh", lax.sinh), ("cosh", lax.cosh), ("asin", lax.asin),
    ("acos", lax.acos), ("atan", lax.atan), ("asinh", lax.asinh), ("atanh", lax.atanh), ("square", lax.square),
    ("reciprocal", lambda x: 1 / x), ("conjugate", jnp.conj), ("real_part", lax.real), ("imag_part", lax.imag), ("magnitude", lax.abs), ("angle", jnp.angle),
    ("norm", lambda x: jnp.sum(jnp.abs(x) ** 2))):  # fmt: skip
    case(X, f"{name}_c64", op, c(2, 5))
for name, op in (("exp", lax.exp), ("log", lax.log), ("asin", lax.asin), ("tanh", lax.tanh), ("conjugate", jnp.conj)):
    case(X, f"{name}_c128", op, c(9, dtype=np.complex128))
# JAX's derivatives of acosh left of the imaginary axis and of sign are not those of what it computes.
for dtype in (np.complex64, np.complex128):
    case(X, f"acosh_right_{np.dtype(dtype).name}", lax.acosh, lambda rng, dtype=dtype: (lambda z: np.abs(z.real) + 0.1 + 1j * z.imag)(c(7, dtype=np.complex128)(rng)).astype(dtype))
    case(X, f"acosh_{np.dtype(dtype).name}", lax.acosh, c(9, dtype=dtype), diff=False)
case(X, "sign", lax.sign, c(2, 5), diff=False)
for name, op in (("add", lax.add), ("sub", lax.sub), ("mul", lax.mul), ("div", lax.div), ("pow", lax.pow)):
    case(X, f"{name}_c64", op, c(3, 4), c(3, 4))
case(X, "scalar", lambda z: z * z, c())
case(X, "eq", lax.eq, c(4), c(4))
case(X, "matmul", lambda x, y: x @ y, c(3, 4), c(4, 2))
case(X, "matmul_c128", lambda x, y: x @ y, c(2, 3, 4, dtype=np.complex128), c(2, 4, 2, dtype=np.complex128))
case(X, "sum", lambda x: jnp.sum(x, axis=1), c(3, 5))
case(X, "prod", lambda x: jnp.prod(x, axis=0), c(3, 2))
case(X, "cumsum", lambda x: jnp.cumsum(x, axis=1), c(3, 5))
case(X, "gather", lambda x, k: x[k], c(5, 3), i(4, lo=0, hi=5))
case(X, "scatter_add", lambda x, k, u: x.at[k].add(u), c(5, 3), i(4, lo=0, hi=5), c(4, 3))
case(X, "shapes", lambda x: jnp.pad(jnp.transpose(jnp.reshape(x, (3, 4))[::-1]), ((1, 0), (0, 2))), c(2, 6))
case(X, "scan", lambda x: lax.scan(lambda s, v: (s * v, s), jnp.ones(2, np.complex64), x), c(5, 2))
case(X, "select", lambda x, y: jnp.where(jnp.abs(x) > 1.5, x, y), c(9), c(9))
case(X, "convolution", lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), c(1, 4, 4, 2), c(3, 3, 2, 3))
case(X, "from_real", lambda x: x.astype(np.complex64) * (1 + 2j), f(6))
case(X, "fft", lambda x: jnp.fft.fft(x), c(2, 8))
case(X, "ifft_odd", lambda x: jnp.fft.ifft(x), c(3, 5))
case(X, "fft2_c128", lambda x: jnp.fft.fft2(x), c(4, 6, dtype=np.complex128))
case(X, "rfft", lambda x: jnp.fft.rfft(x), f(2, 8))
case(X, "irfft", lambda x: jnp.fft.irfft(x, 8), c(2, 5))

H = "complex_matrices"


def hermitian(n, *batch, dtype=np.complex64):
    """Positive definite, with eigenvalues that are well apart."""

    def make(rng):
        a = rng.uniform(-1, 1, (*batch, n, n)) + 1j * rng.uniform(-1, 1, (*batch, n, n))
        q = np.linalg.qr(a)[0]
        return ((q * np.arange(1, n + 1)) @ np.conj(np.swapaxes(q, -1, -2))).astype(dtype)

    return make


def rebuilt(a):
    w, v = jnp.linalg.eigh(a)
    return (v * w) @ jnp.conj(v.T), w


def decomposed(a, full=False):
    u, s, vt = jnp.linalg.svd(a, full_matrices=full)
    return s, (u[..., : s.shape[-1]] * s[..., None, :]) @ vt[..., : s.shape[-1], :], jnp.abs(u.conj().swapaxes(-1, -2) @ u), jnp.abs(vt @ vt.conj().swapaxes(-1, -2))


case(H, "cholesky", jnp.linalg.cholesky, hermitian(4))
case(H, "cholesky_c128", jnp.linalg.cholesky, hermitian(5, dtype=np.complex128))
case(H, "cholesky_upper", lambda a: jnp.linalg.cholesky(a, upper=True), hermitian(3, 2))
case(H, "qr", lambda a: jnp.linalg.qr(a), c(4, 3))
case(H, "qr_complete_c128", lambda a: jnp.linalg.qr(a, mode="complete"), c(4, 2, dtype=np.complex128), diff=False)
case(H, "qr_wide", lambda a: jnp.linalg.qr(a), c(2, 3, 4), diff=False)
case(H, "eigh", rebuilt, hermitian(4))
case(H, "eigh_odd_c128", rebuilt, hermitian(5, dtype=np.complex128))
case(H, "solve", jnp.linalg.solve, c(4, 4), c(4, 2))
case(H, "det", jnp.linalg.det, c(4, 4, dtype=np.complex128))
case(H, "inverse", jnp.linalg.inv, c(3, 3))
for lower in (True, False):
    for adjoint in (True, False):
        case(H, f"triangular_solve_{'lower' if lower else 'upper'}{'_adjoint' if adjoint else ''}",
             lambda a, x, lower=lower, adjoint=adjoint: lax.linalg.triangular_solve(a, x, left_side=True, lower=lower, transpose_a=adjoint, conjugate_a=adjoint), hermitian(3), c(3, 2))
case(H, "triangular_solve_right_conjugate", lambda a, x: lax.linalg.triangular_solve(a, x, lower=True, conjugate_a=True), hermitian(3), c(2, 3))
case(H, "svd", decomposed, c(4, 3))
case(H, "svd_wide_c128", decomposed, c(3, 5, dtype=np.complex128))
case(H, "svd_full", lambda a: decomposed(a, True), c(4, 2), diff=False)
