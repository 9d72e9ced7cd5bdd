"""Fuzzing: mutated CUDA files, each analysed in a process that may be killed."""
