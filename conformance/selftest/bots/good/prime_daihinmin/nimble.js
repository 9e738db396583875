#!/usr/bin/env node
/*
 * nimble: leads with its shortest prime, beats with the smallest larger one, and takes every Mersenne cut it can.
 *
 * Style: event-driven; collects the chunks of stdin as they come and cuts them at LF by itself, JSON.parse,
 * BigInt powers for Miller-Rabin. No modules. Run: node nimble.js
 */
'use strict';

const LONGEST = 32; // digits
const TRIES = 250;
const WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n];
const MERSENNE = ['3', '7', '31', '127', '8191', '131071', '524287', '2147483647'];

const power = (base, exponent, modulus) => {
  let result = 1n;
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
};

const isPrime = (n) => {
  if (n < 2n) return false;
  for (const p of WITNESSES) if (n % p === 0n) return n === p;
  let odd = n - 1n;
  let twos = 0;
  while (!(odd & 1n)) {
    odd >>= 1n;
    twos += 1;
  }
  return WITNESSES.every((base) => {
    let x = power(base, odd, n);
    for (let round = 0; round < twos; round += 1) {
      if (x === n - 1n || (round === 0 && x === 1n)) return true;
      x = (x * x) % n;
    }
    return false;
  });
};

const tally = (cards) => {
  const counts = new Array(10).fill(0);
  for (const card of cards) counts[card] += 1;
  return counts;
};

const covers = (counts, text) => tally([...text].map(Number)).every((need, digit) => need <= counts[digit]);

/** Yields every number of `length` held cards from `low` (a string as long) on, ascending. */
function* arrangements(counts, low, place = 0, text = '', tight = true) {
  if (place === low.length) {
    yield text;
    return;
  }
  const first = tight ? Number(low[place]) : 0;
  for (let digit = place === 0 ? Math.max(first, 1) : first; digit < 10; digit += 1) {
    if (counts[digit] === 0) continue;
    counts[digit] -= 1;
    yield* arrangements(counts, low, place + 1, text + digit, tight && digit === first);
    counts[digit] += 1;
  }
}

const smallestPrime = (counts, length, above) => {
  const low = (above + 1n).toString().padStart(length, '0');
  const held = counts.reduce((sum, count) => sum + count, 0);
  if (low.length > length || held < length) return null;
  let tries = TRIES;
  for (const text of arrangements([...counts], low)) {
    if (isPrime(BigInt(text))) return text;
    tries -= 1;
    if (tries === 0) break;
  }
  return null;
};

const choose = ({ hand = [], numbers = [] }) => {
  const counts = tally(hand);
  const total = numbers.reduce((sum, number) => sum + number.length, 0);
  if (total > LONGEST) return null;
  const above = total ? BigInt(numbers[numbers.length - 1]) : 0n;
  const lengths = total ? [total] : [1, 2, 3, 4, 5];
  const cut = MERSENNE.find((m) => lengths.includes(m.length) && BigInt(m) > above && covers(counts, m));
  if (cut !== undefined) return cut;
  for (const length of lengths) {
    const text = smallestPrime(counts, length, above);
    if (text !== null) return text;
  }
  return null;
};

const play = (message) => {
  const text = choose(message);
  return text === null ? { action: 'pass' } : { action: 'number', cards: [...text].map(Number) };
};

const parse = (line) => {
  try {
    return JSON.parse(line) || {};
  } catch {
    return {};
  }
};

let over = false;

const answer = (line) => {
  if (over) return;
  const message = parse(line);
  over = message.action === 'quit';
  const text = message.action === 'play' ? JSON.stringify(play(message)) : '';
  process.stdout.write(`${text}\n`, over ? () => process.exit(0) : undefined);
};

const pieces = [];

process.stdin.on('data', (chunk) => {
  let start = 0;
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
    pieces.push(chunk.subarray(start, end));
    answer(Buffer.concat(pieces.splice(0)).toString('utf8'));
    start = end + 1;
  }
  if (start < chunk.length) pieces.push(chunk.subarray(start));
});
process.stdin.on('end', () => {
  if (!over) process.exit(0);
});
process.stdout.on('error', () => process.exit(0));
