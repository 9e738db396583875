"""People at the board: `pdcheck play`."""
