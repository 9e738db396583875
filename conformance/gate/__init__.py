"""The system-test gate: takes a submission, builds and judges it inside walls, and says what came of it."""
