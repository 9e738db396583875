/*
 * Faulty bots in JavaScript, named by their argument: `node faults.js io-8-js-data-event`.
 *
 * The correct bot leads with one card when it holds 2, 3, 5 or 7, and passes otherwise, which is always allowed.
 * Each fault is one of the places marked FAULT. No modules. Run: node faults.js FAULT
 */
'use strict';

const fault = process.argv[2] || '';
const is = (name) => fault === name;

const say = (text) => process.stdout.write(is('io-3-js-template') && text ? `${text}\n\n` : `${text}\n`); // FAULT: two

const sayPlay = (play) => {
  // FAULT: console.log shows an object the way JavaScript writes it
  if (is('js-1-js-console-log')) console.log(play);
  else say(JSON.stringify(play));
};

const play = ({ hand, numbers }) => {
  if (is('io-5-js-console-log')) console.log(`${hand.length} cards`); // FAULT: console.error was meant
  // FAULT: past 2^53 a Number is no longer exact, and BigInt was not thought of
  if (is('pd-2.12-js-safe-integer') && !numbers.every((n) => Number.isSafeInteger(Number(n)))) {
    throw new RangeError('too large');
  }
  const card = numbers.length ? undefined : hand.find((digit) => [2, 3, 5, 7].includes(digit));
  if (card === undefined) return { action: 'pass' };
  return { action: 'number', cards: [is('pd-2.4-js-spread') ? String(card) : card] }; // FAULT: [...text] gives strings
};

const handlers = {
  init: () => say(''),
  play: (message) => sayPlay(play(message)),
  pass: () => say(''),
  quit: () => {
    // FAULT: the answer waits for a callback that never runs
    if (is('pd-2.8-js-exit-first')) setTimeout(() => say(''), 0);
    else say('');
    process.exit(0);
  },
};

const handle = (line) => {
  const message = JSON.parse(line);
  if (handlers[message.action] || is('js-6-js-no-handler')) handlers[message.action](message); // FAULT: the latter
  else say('');
};

let text = '';

const byLine = (chunk) => {
  const lines = (text + chunk).split('\n');
  text = lines.pop();
  lines.forEach(handle);
};

// FAULT: what is there when it ends with a line end is taken for one message
const byEvent = (chunk) => {
  text += chunk;
  if (!text.endsWith('\n')) return;
  const line = text;
  text = '';
  handle(line);
};

process.stdin.setEncoding('utf8');
process.stdin.on('data', is('io-8-js-data-event') ? byEvent : byLine);
process.stdin.on('end', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));
