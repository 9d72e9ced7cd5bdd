"""Inputs that are too much of something, and what must be answered to each."""
