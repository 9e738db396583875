#!/usr/bin/env node
/*
 * ripple: takes the cells of a spiral from the middle outwards; as player 2 first those beside the other's last move.
 *
 * Style: event-driven; collects the chunks of stdin and cuts them at LF by itself, a state that each line moves on, no
 * modules. When its last move is made it closes stdin, so that nothing is left to wait for. Run: node ripple.js
 */
'use strict';

const SIDE = 16;
const MOVES = (SIDE * SIDE) / 2;

const spiral = () => {
  const cells = [];
  let [row, column, length] = [7, 7, 1];
  const walk = (down, right, steps) => {
    for (let step = 0; step < steps; step++, row += down, column += right) {
      if (row >= 0 && row < SIDE && column >= 0 && column < SIDE) cells.push(row * SIDE + column);
    }
  };
  while (cells.length < SIDE * SIDE) {
    walk(0, 1, length);
    walk(1, 0, length++);
    walk(0, -1, length);
    walk(-1, 0, length++);
  }
  return cells;
};

const state = { number: 0, made: 0, taken: new Array(SIDE * SIDE).fill(false), order: spiral(), last: -1 };

const say = (text) => process.stdout.write(`${text}\n`);

const beside = (cell) =>
  [
    [-1, 0],
    [0, 1],
    [1, 0],
    [0, -1],
  ]
    .map(([down, right]) => [Math.floor(cell / SIDE) + down, (cell % SIDE) + right])
    .filter(([row, column]) => row >= 0 && row < SIDE && column >= 0 && column < SIDE)
    .map(([row, column]) => row * SIDE + column);

const choose = () => {
  const near = state.number === 2 ? beside(state.last) : [];
  return [...near, ...state.order].find((cell) => !state.taken[cell]);
};

const move = () => {
  const cell = choose();
  state.taken[cell] = true;
  state.made++;
  say(`${Math.floor(cell / SIDE) + 1} ${(cell % SIDE) + 1}`);
  if (state.made === MOVES) process.stdin.destroy();
};

const begin = (line) => {
  state.number = Number(line);
  say('Ripple');
  if (state.number === 1) move();
};

const follow = (line) => {
  const [row, column] = line.split(' ').map(Number);
  state.last = (row - 1) * SIDE + column - 1;
  state.taken[state.last] = true;
  move();
};

let rest = '';
process.stdin.setEncoding('latin1');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    if (state.number === 0) begin(line);
    else if (state.made < MOVES) follow(line);
  }
});
