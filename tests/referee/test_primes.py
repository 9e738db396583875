"""Primality against sieves, lists of published pseudoprimes, and tests that share no code with GMP's."""

from __future__ import annotations

import gmpy2  # type: ignore[import-untyped]
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pdcheck.referee import primes
from pdcheck.referee.primes import (
    BELPHEGOR,
    MERSENNE_COMPLETE_BELOW,
    MERSENNE_EXPONENTS,
    Primality,
    is_mersenne_prime,
    primality,
    smallest_factor,
)

DECK = 3_001  # cards, so at most this many digits

# Carmichael numbers: Fermat's test passes for every base prime to them.
CARMICHAEL = [
    *(561, 1105, 1729, 2465, 2821, 6601, 8911, 10585, 15841, 29341, 41041, 46657, 52633, 62745, 63973, 75361),
    *(101101, 115921, 126217, 162401, 172081, 188461, 252601, 278545, 294409, 314821, 334153, 340561, 399001),
    *(410041, 825265, 321197185, 56052361, 118901521, 172947529, 216821881, 228842209, 1299963601),
]

# psi(k): the smallest composite that is a strong pseudoprime to the first k primes, with k.
STRONG_PSEUDOPRIMES = {
    2047: 1,
    1373653: 2,
    25326001: 3,
    3215031751: 4,
    2152302898747: 5,
    3474749660383: 6,
    341550071728321: 8,
    3825123056546413051: 11,
    318665857834031151167461: 12,
    3317044064679887385961981: 13,
}

STRONG_LUCAS_PSEUDOPRIMES = [
    *(5459, 5777, 10877, 16109, 18971, 22499, 24569, 25199, 40309, 58519, 75077, 97439, 100127, 113573),
    *(115639, 130139, 155819, 158399, 161027, 162133, 176399, 176471, 189419, 192509, 197801),
]

# Arnault 1995: p, 313(p − 1) + 1 and 353(p − 1) + 1 are prime, their product of 397 digits is a Carmichael
# number and a strong pseudoprime to every prime base below 307.
ARNAULT_P = int(
    "2967449566868551055015417464290533273077199179985304335099507553127683875317"
    "1770199594238596428121188033664754218345562493168782883"
)
ARNAULT = ARNAULT_P * (313 * (ARNAULT_P - 1) + 1) * (353 * (ARNAULT_P - 1) + 1)

FIRST_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


def sieve(below: int) -> bytearray:
    """flags[n] is 1 for each prime n < below."""
    flags = bytearray([1]) * below
    flags[:2] = b"\0\0"
    for n in range(2, int(below**0.5) + 1):
        if flags[n]:
            flags[n * n :: n] = bytes(len(range(n * n, below, n)))
    return flags


def passes_strong_test(n: int, base: int) -> bool:
    """Whether odd n is a strong probable prime to the base, by pow alone."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    power = pow(base, odd, n)
    if power in (1, n - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % n
        if power == n - 1:
            return True
    return False


def prime_by_pow(n: int) -> bool:
    """Deterministic below 3.3·10^24 (thirteen prime bases), a probable-prime test above."""
    if n < 2:
        return False
    for p in FIRST_PRIMES:
        if n % p == 0:
            return n == p
    return all(passes_strong_test(n, base) for base in FIRST_PRIMES)


def prime_by_division(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def mersenne_prime_by_lucas_lehmer(p: int) -> bool:
    """Whether 2^p − 1 is prime, for an odd prime p: proven either way, with nothing but squarings."""
    modulus = gmpy2.mpz(2) ** p - 1
    term = gmpy2.mpz(4)
    for _ in range(p - 2):
        term = term * term - 2
        term = (term & modulus) + (term >> p)
        if term >= modulus:
            term -= modulus
    return bool(term == 0)


def test_every_number_below_a_million_agrees_with_a_sieve() -> None:
    flags = sieve(10**6)
    wrong = [n for n, flag in enumerate(flags) if primality(n).prime != flag]
    assert wrong == []
    assert sum(flags) == 78_498  # the sieve itself: π(10^6)


@pytest.mark.parametrize("n", [0, 1, -1, -2, -7, -(10**40)])
def test_below_two_nothing_is_prime(n: int) -> None:
    answer = primality(n)
    assert answer == Primality(False, f"{n} is smaller than 2")
    assert not is_mersenne_prime(n)


@pytest.mark.parametrize("n", CARMICHAEL)
def test_carmichael_numbers_are_composite(n: int) -> None:
    factors = []
    rest = n
    while rest > 1:
        factor = smallest_factor(rest, 99_999)
        assert factor is not None
        factors.append(factor)
        rest //= factor
    assert len(set(factors)) == len(factors) >= 3, "not a Carmichael number: the list is wrong"
    assert all((n - 1) % (p - 1) == 0 for p in factors), "not a Carmichael number: the list is wrong"
    assert not primality(n).prime


def test_chernick_numbers_are_composite() -> None:
    found = 0
    for k in [*range(1, 3_000), *range(10**6, 10**6 + 20_000), *range(10**12, 10**12 + 20_000)]:
        a, b, c = 6 * k + 1, 12 * k + 1, 18 * k + 1
        if all(gmpy2.is_prime(n) for n in (a, b, c)):
            found += 1
            assert not primality(a * b * c).prime, (a, b, c)
    assert found > 100


@pytest.mark.parametrize(("n", "bases"), STRONG_PSEUDOPRIMES.items())
def test_strong_pseudoprimes_are_composite(n: int, bases: int) -> None:
    assert all(passes_strong_test(n, base) for base in FIRST_PRIMES[:bases]), "the list is wrong"
    assert not primality(n).prime


@pytest.mark.parametrize("n", STRONG_LUCAS_PSEUDOPRIMES)
def test_strong_lucas_pseudoprimes_are_composite(n: int) -> None:
    assert gmpy2.is_strong_selfridge_prp(n), "the list is wrong"
    assert not primality(n).prime


def test_arnaults_number_is_composite() -> None:
    assert len(str(ARNAULT)) == 397
    assert all(passes_strong_test(ARNAULT, p) for p in range(2, 307) if prime_by_division(p))
    assert not primality(ARNAULT).prime


@pytest.mark.parametrize("digits", [5, 9, 10, 20, 31, 40, 80, 160, 320, 640])
def test_products_of_two_near_primes_are_composite_and_the_primes_prime(digits: int) -> None:
    p = int(gmpy2.next_prime(10 ** (digits - 1)))
    q = int(gmpy2.next_prime(p))
    assert primality(p).prime
    assert primality(q).prime
    assert not primality(p * q).prime
    assert not primality(p * p).prime


def test_numbers_next_to_every_limit_of_the_module() -> None:
    limits = (primes.FACTORS_BELOW**2, primes.TABLE_BELOW, 10**6, 31 * 2**46, 2**63, 2**64)
    for limit in limits:
        for n in range(limit - 200, limit + 200):
            assert primality(n).prime == prime_by_pow(n), n


def test_the_mersenne_table_by_lucas_lehmer() -> None:
    found = [2] + [
        p for p in range(3, 2_300, 2) if prime_by_division(p) and mersenne_prime_by_lucas_lehmer(p)
    ]
    assert found == [p for p in MERSENNE_EXPONENTS if p < 2_300]


@pytest.mark.full
def test_the_rest_of_the_mersenne_table_by_lucas_lehmer() -> None:
    exponents = [p for p in range(2_301, MERSENNE_COMPLETE_BELOW, 2) if prime_by_division(p)]
    found = [p for p in exponents if mersenne_prime_by_lucas_lehmer(p)]
    assert found == [p for p in MERSENNE_EXPONENTS if p > 2_300]


@pytest.mark.full
@pytest.mark.parametrize("p", MERSENNE_EXPONENTS)
def test_gmp_agrees_with_the_mersenne_table(p: int) -> None:
    assert gmpy2.is_prime(gmpy2.mpz(2) ** p - 1)


def test_every_mersenne_number_of_the_deck_is_decided_by_the_table() -> None:
    largest = (10**DECK).bit_length() - 1
    assert largest < MERSENNE_COMPLETE_BELOW, "the table must reach every number that can be played"
    for p in range(2, largest + 1):
        n = 2**p - 1
        expected = p in MERSENNE_EXPONENTS
        assert is_mersenne_prime(n) == expected, p
        assert primality(n).prime == expected, p
        if expected:
            assert primality(n).test == f"Mersenne table (p = {p})"


@pytest.mark.parametrize("p", [11_213, 10_007])
def test_beyond_the_table_gmp_decides(p: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # 2^11213 − 1 is prime, 2^10007 − 1 is not: the wiring is what is tested, GMP would take seconds.
    monkeypatch.setattr(gmpy2, "is_prime", lambda n, _rounds: n.bit_length() == 11_213)
    assert is_mersenne_prime(2**p - 1) == (p == 11_213)
    assert primality(2**p - 1).prime == (p == 11_213)


@pytest.mark.parametrize("n", [2, 5, 11, 8190, 8192, 2**13 + 1, 2**11 - 1, 2**23 - 1, 2**31 - 3, BELPHEGOR])
def test_not_a_mersenne_prime(n: int) -> None:
    assert not is_mersenne_prime(n)


def test_the_belphegor_prime() -> None:
    assert str(BELPHEGOR) == "1" + 13 * "0" + "666" + 13 * "0" + "1"
    assert prime_by_pow(BELPHEGOR)
    assert gmpy2.is_strong_bpsw_prp(BELPHEGOR)
    assert primality(BELPHEGOR) == Primality(True, "the Belphegor prime, a known prime")
    assert not primality(BELPHEGOR + 2).prime
    assert not primality(BELPHEGOR * 10 + 1).prime


@given(st.integers(0, 10**7 - 1))
@example(99_991)
@example(100_003)
def test_below_ten_million_as_by_trial_division(n: int) -> None:
    assert primality(n).prime == prime_by_division(n)


big = st.integers(1, 80).flatmap(lambda digits: st.integers(10 ** (digits - 1), 10**digits - 1))


@given(big)
@settings(max_examples=300)
def test_big_numbers_as_by_pow(n: int) -> None:
    assert primality(n).prime == prime_by_pow(n)
    assert primality(gmpy2.mpz(n)) == primality(n)


@given(big)
def test_the_next_prime_is_prime(n: int) -> None:
    p = int(gmpy2.next_prime(n))
    assert prime_by_pow(p)
    assert primality(p).prime


@given(big, big)
def test_a_product_is_composite(a: int, b: int) -> None:
    p, q = int(gmpy2.next_prime(a)), int(gmpy2.next_prime(b))
    assert not primality(p * q).prime


@given(st.integers(2, 10**12), st.integers(0, 2_000))
def test_smallest_factor_is_the_first_divisor(n: int, bound: int) -> None:
    first = next((d for d in range(2, min(bound, n) + 1) if n % d == 0), None)
    assert smallest_factor(n, bound) == first
    assert smallest_factor(gmpy2.mpz(n), bound) == first


@pytest.mark.parametrize(("n", "bound"), [(1, 10), (0, 10), (-6, 10), (10, 100_000)])
def test_smallest_factor_refuses_what_it_cannot_answer(n: int, bound: int) -> None:
    with pytest.raises(ValueError, match="got"):
        smallest_factor(n, bound)


@pytest.mark.parametrize(
    ("n", "words"),
    [
        (4, "4 = 2 × 2"),
        (2047, "2047 = 23 × 89"),
        (99_999, "99999 = 3 × 33333"),
        (10**9 + 1, "1000000001 = 7 × 142857143"),
        (2**29 - 1, "536870911 = 233 × 2304167"),
        (2**67 - 1, "Mersenne table (no prime at p = 67)"),
        (10**30, "divisible by 2"),
        (10**40 + 1, "divisible by 17"),
        (1_009 * 1_013 * 10_007, "composite by GMP's probable-prime test, no factor below 1,000"),
        (57_467, "table of the primes below 100,000"),
        (8191, "Mersenne table (p = 13)"),
        (2147483647, "Mersenne table (p = 31)"),
    ],
)
def test_the_words_of_a_ruling(n: int, words: str) -> None:
    assert primality(n).test == words


@pytest.mark.parametrize(
    ("version", "below", "above"),
    [
        ("GMP 6.3.0", "exact below 2^64", "Baillie–PSW, then Miller–Rabin"),
        ("GMP 6.2.1", "exact below 2^64", "Baillie–PSW, then Miller–Rabin"),
        ("GMP 6.10.0", "exact below 2^64", "Baillie–PSW, then Miller–Rabin"),
        ("GMP 7.0", "exact below 2^64", "Baillie–PSW, then Miller–Rabin"),
        ("GMP 6.1.2", "probable prime: Miller–Rabin", "probable prime: Miller–Rabin"),
        ("MPIR 3.0.0", "probable prime: Miller–Rabin", "probable prime: Miller–Rabin"),
        ("", "probable prime: Miller–Rabin", "probable prime: Miller–Rabin"),
    ],
)
def test_only_a_gmp_with_baillie_psw_is_called_exact(version: str, below: str, above: str) -> None:
    words_below, words_above = primes._gmp_prime_words(version)
    assert below in words_below
    assert above in words_above


def test_certainty_ends_at_two_to_the_64() -> None:
    last, first = 2**64 - 59, 2**64 + 13  # the primes on either side
    below, above = primes._gmp_prime_words(gmpy2.mp_version())
    assert primality(last) == Primality(True, below)
    assert primality(first) == Primality(True, above)
