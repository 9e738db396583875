/*
 * Faulty bots in JavaScript, named by their argument: `node faults.js io-8-js-data-event`.
 *
 * The correct bot takes the last free cell. Each fault is one of the places marked FAULT. No modules.
 * Run: node faults.js FAULT
 */
'use strict';

const SIDE = 16;
const MOVES = (SIDE * SIDE) / 2;

const fault = process.argv[2] || '';
const is = (name) => fault === name;

const taken = new Array(SIDE * SIDE).fill(false);
let number = 0;
let made = 0;

const say = (text) => process.stdout.write(`${text}\n`);

const spell = (cell) => {
  if (is('va-4-js-divides')) return `${cell / SIDE + 1} ${(cell % SIDE) + 1}`; // FAULT: / is no integer division
  if (is('va-4-js-nan') && made > 60) return `${cell.row} ${cell.column}`; // FAULT: a number has no row: undefined
  return `${Math.floor(cell / SIDE) + 1} ${(cell % SIDE) + 1}`;
};

const choose = () => {
  const free = taken.flatMap((owned, cell) => (owned ? [] : [cell]));
  if (is('va-9-js-date-now')) return free[Date.now() % free.length]; // FAULT: the clock
  if (!free.length) return SIDE * SIDE - 1;
  return free[free.length - 1];
};

const move = () => {
  const cell = choose();
  made++;
  taken[cell] = true;
  say(spell(cell));
  if (made < MOVES) return;
  if (is('va-6-js-interval')) {
    setInterval(() => {}, 1000); // FAULT: a timer keeps it alive
    setTimeout(() => process.exit(), 60000); // but not for ever
  }
  process.stdin.destroy();
};

const handle = (line) => {
  if (number === 0) {
    number = Number(line);
    say('NodeBot');
    if (number === 1) move();
    return;
  }
  if (made >= MOVES) return;
  const [row, column] = line.split(' ').map(Number);
  taken[(row - 1) * SIDE + column - 1] = true;
  move();
};

let text = '';

const byLine = (chunk) => {
  const lines = (text + chunk).split('\n');
  text = lines.pop();
  lines.forEach(handle);
};

// FAULT: what has come is taken for whole lines
const byEvent = (chunk) => {
  if (!chunk.endsWith('\n')) throw new Error('half a line');
  chunk.trim().split('\n').forEach(handle);
};

process.stdin.setEncoding('utf8');
process.stdin.on('data', is('io-8-js-data-event') ? byEvent : byLine);
