"""Postgres and a Redis-protocol server of our own, out of wheels, for one-command use and for tests."""
