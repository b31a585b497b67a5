"""Benchmarks for asv; report.py prints the same figures as one table."""
