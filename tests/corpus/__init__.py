"""A generated corpus: programs out of all constructs, in every layout that people write."""
