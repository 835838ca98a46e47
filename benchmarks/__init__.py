"""Benchmarks, each run as a module: `python -m benchmarks.<name>`. They need no server unless they say so."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "secondact.settings")
django.setup()
