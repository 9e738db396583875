#!/usr/bin/env bash
# plain: takes the first free cell, row by row, as the contest's own sample does.
#
# Style: builtins alone, so that no process is started; one flat array, and a finger that only moves forward.
# Run: bash plain.sh

declare -a taken
finger=0
made=0

move() {
  while [[ ${taken[finger]} ]]; do
    ((++finger))
  done
  taken[finger]=1
  ((++made))
  echo "$((finger / 16 + 1)) $((finger % 16 + 1))"
}

read -r number || exit 0
echo Plain
if [[ $number == 1 ]]; then
  move
fi
while ((made < 128)) && read -r row column; do
  taken[(row - 1) * 16 + column - 1]=1
  move
done
exit 0
