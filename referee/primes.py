"""Whether a number is prime, with words for the ruling that rests on it.

Law: every answer names the test that gave it; what is certain is called certain, and nothing else is.
Order, cheapest first: a table below 100,000 (exact), the two kinds of prime with a rule of their own
(Mersenne primes by the table of their exponents, the Belphegor prime), a common divisor with the primes
below 1,000, then GMP.

What `gmpy2.is_prime(n)` does (its default of 25 rounds, GMP 6.2 or 6.3): trial division by small
primes, exact up to 10^6; then one Baillie–PSW test, that is a strong probable-prime test to base 2 and
a strong Lucas test, which GMP counts as the first 24 rounds; then, from about 2.2·10^15 on, one
Miller–Rabin round with a pseudo-random base, the same at every call. "Composite" is always certain.
"Prime" is certain below 2^64, where all base-2 pseudoprimes have been listed and none passes a strong
Lucas test; above it no composite that passes Baillie–PSW is known, and none is proven impossible. GMP
before 6.2 ran 25 Miller–Rabin rounds instead; with it, nothing that GMP decides is called certain.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import gmpy2  # type: ignore[import-untyped]
from gmpy2 import mpz

# Exponents p of all Mersenne primes 2^p − 1 with p < 10,000: complete, by Lucas–Lehmer tests of every p.
MERSENNE_EXPONENTS: Final[tuple[int, ...]] = (
    *(2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279),
    *(2203, 2281, 3217, 4253, 4423, 9689, 9941),
)
# The deck has 3,001 cards and 10^3001 < 2^9970, so no number that can be played lies beyond the table.
MERSENNE_COMPLETE_BELOW: Final = 10_000

# PD-3.7: 1, thirteen 0, 666, thirteen 0, 1.
BELPHEGOR: Final[int] = 10**30 + 666 * 10**14 + 1

TABLE_BELOW: Final = 100_000  # a lead has at most five cards (PD-3.2): most plays are looked up
FACTORS_BELOW: Final = 1_000
ROUNDS: Final = 25


class Primality(NamedTuple):
    """`prime`: the answer. `test`: what decided it, in words to put after a colon or in brackets."""

    prime: bool
    test: str


def _least_factor_table(below: int) -> tuple[tuple[int, ...], bytes]:
    """Sieve. Returns (primes up to √below, table); table[n] is 0 for a prime n, else 1 + the index in those
    primes of the smallest factor of n. 0 and 1 have no smallest factor and are never looked up."""
    root = int(gmpy2.isqrt(below - 1))
    primes = tuple(p for p in range(2, root + 1) if all(p % q for q in range(2, int(gmpy2.isqrt(p)) + 1)))
    table = bytearray(below)
    # Largest prime first, so that the smallest factor is the one that stays.
    for index, p in reversed(tuple(enumerate(primes))):
        table[p * p :: p] = bytes([index + 1]) * len(range(p * p, below, p))
    return primes, bytes(table)


_ROOT_PRIMES, _LEAST = _least_factor_table(TABLE_BELOW)
_SMALL_PRIMES: Final = tuple(n for n in range(2, FACTORS_BELOW) if not _LEAST[n])
_PRIMORIAL: Final = gmpy2.primorial(FACTORS_BELOW)  # their product
_EXPONENTS: Final = frozenset(MERSENNE_EXPONENTS)
_CERTAIN_BELOW: Final = 2**64


def _gmp_runs_bpsw(version: str) -> bool:
    """Whether this GMP ("GMP 6.3.0") tests by Baillie–PSW: since 6.2.0. MPIR ("MPIR 3.0.0") never did."""
    library, _, number = version.partition(" ")
    return library == "GMP" and tuple(map(int, number.split(".")[:2])) >= (6, 2)


def _gmp_prime_words(version: str) -> tuple[str, str]:
    """The words for a prime below 2^64 and for one above, as this GMP can answer for them."""
    if _gmp_runs_bpsw(version):
        return (
            "Baillie–PSW by GMP, exact below 2^64",
            f"probable prime by GMP, {ROUNDS} rounds (Baillie–PSW, then Miller–Rabin)",
        )
    probable = f"probable prime: Miller–Rabin by GMP, {ROUNDS} rounds"
    return probable, probable


_BY_TABLE: Final = Primality(True, f"table of the primes below {TABLE_BELOW:,}")
_BY_BELPHEGOR: Final = Primality(True, "the Belphegor prime, a known prime")
_BY_GMP_CERTAIN, _BY_GMP_PROBABLE = (
    Primality(True, words) for words in _gmp_prime_words(gmpy2.mp_version() or "")
)
_COMPOSITE_BY_GMP: Final = Primality(
    False, f"composite by GMP's probable-prime test, no factor below {FACTORS_BELOW:,}"
)
_MERSENNE_PRIMES: Final = {p: Primality(True, f"Mersenne table (p = {p})") for p in MERSENNE_EXPONENTS}


def _mersenne_exponent(n: int | mpz) -> int | None:
    """p when n = 2^p − 1 with p ≥ 2, else None."""
    return n.bit_length() if n >= 3 and not n & (n + 1) else None


def is_mersenne_prime(n: int | mpz) -> bool:
    """Whether n is a Mersenne prime 2^p − 1 (PD-3.8), for any integer n.

    By the table up to 2^10000; beyond it, which no deck of 3,001 cards reaches, as sure as `gmpy2.is_prime`.
    """
    p = _mersenne_exponent(n)
    if p is None:
        return False
    if p < MERSENNE_COMPLETE_BELOW:
        return p in _EXPONENTS
    return bool(gmpy2.is_prime(mpz(n), ROUNDS))


def primality(n: int | mpz) -> Primality:
    """Whether n, any integer, is prime, and which test said so (PD-3.5).

    How sure the answer is, the module docstring says.
    """
    n = int(n)
    if n < TABLE_BELOW:
        return _primality_by_table(n)
    if not n & 1:
        return _divisible(n, 2)
    if not n & (n + 1):
        return _primality_of_mersenne_number(n)
    if n == BELPHEGOR:
        return _BY_BELPHEGOR
    if factor := _small_factor(n):
        return _divisible(n, factor)
    if not gmpy2.is_prime(n, ROUNDS):
        return _COMPOSITE_BY_GMP
    return _BY_GMP_CERTAIN if n < _CERTAIN_BELOW else _BY_GMP_PROBABLE


def _primality_by_table(n: int) -> Primality:
    if n < 2:
        return Primality(False, f"{n} is smaller than 2")
    if index := _LEAST[n]:
        return _divisible(n, _ROOT_PRIMES[index - 1])
    if not n & (n + 1):
        return _MERSENNE_PRIMES[n.bit_length()]
    return _BY_TABLE


def _primality_of_mersenne_number(n: int) -> Primality:
    """n = 2^p − 1, at or above TABLE_BELOW."""
    p = n.bit_length()
    if known := _MERSENNE_PRIMES.get(p):
        return known
    if factor := _small_factor(n):
        return _divisible(n, factor)
    if p < MERSENNE_COMPLETE_BELOW:
        return Primality(False, f"Mersenne table (no prime at p = {p})")
    return _BY_GMP_PROBABLE if gmpy2.is_prime(n, ROUNDS) else _COMPOSITE_BY_GMP


def _small_factor(n: int) -> int | None:
    """The smallest prime factor of n, n ≥ TABLE_BELOW, if it is below FACTORS_BELOW.

    One gcd tells that there is none; the division that finds one is needed for a composite only.
    """
    common = int(gmpy2.gcd(n, _PRIMORIAL))
    if common == 1:
        return None
    return next(p for p in _SMALL_PRIMES if not common % p)


def _divisible(n: int, factor: int) -> Primality:
    """Composite n with the named factor; the product is written out while it fits the eye."""
    if n < _CERTAIN_BELOW:
        return Primality(False, f"{n} = {factor} × {n // factor}")
    return Primality(False, f"divisible by {factor}")


def smallest_factor(n: int | mpz, bound: int) -> int | None:
    """The smallest prime factor of n (n ≥ 2) that is at most `bound`, or None when all are larger.

    For messages, by plain division. Raises ValueError for n < 2 and for a bound of 100,000 or more.
    """
    if n < 2:
        raise ValueError(f"only numbers from 2 have prime factors, got {n}")
    if bound >= TABLE_BELOW:
        raise ValueError(f"factors are sought below {TABLE_BELOW:,}, got a bound of {bound:,}")
    if n < TABLE_BELOW:
        index = _LEAST[int(n)]
        factor = _ROOT_PRIMES[index - 1] if index else int(n)
        return factor if factor <= bound else None
    return next((p for p in range(2, bound + 1) if not _LEAST[p] and not n % p), None)
