"""`python -m pdcheck.conformance` is `pdcheck`."""

from pdcheck.conformance.cli import main

main()
