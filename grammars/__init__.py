"""The language as data: CUDA's builtin types, and what its functions cost.

The tables are Python literals, not text files: they are read at every start, and compiled
modules load in a fraction of the time that parsing takes.
"""
