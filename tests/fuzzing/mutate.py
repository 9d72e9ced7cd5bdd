"""Mutations of tokens and of statements: any of them may make nonsense, few make only that."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fuzzing import odd
from fuzzing.tokens import OPENING, closing, is_name, is_number, statements, tokens_of

Tokens = list[str]
Mutation = Callable[[Random, Tokens, Tokens], Tokens]
_LARGEST = 60_000  # characters of a mutated text


def mutate(random: Random, text: str, other: str) -> bytes:
    """A text with some mutations; `other` is a text to take pieces from."""
    tokens, pool = tokens_of(text), tokens_of(other)
    for _ in range(min(1 + int(random.expovariate(0.4)), 12)):
        mutation = random.choice(MUTATIONS)
        tokens = mutation(random, tokens or [";"], pool or [";"])
    made = "".join(tokens)[:_LARGEST]
    data = made.encode("utf-8", "surrogatepass")
    return _damage(random, data) if random.random() < 0.05 else data


def _damage(random: Random, data: bytes) -> bytes:
    """Some bytes changed, lost or added."""
    changed = bytearray(data or b";")
    for _ in range(random.randint(1, 8)):
        at = random.randrange(len(changed) or 1)
        kind = random.randrange(4)
        if kind == 0 and changed:
            changed[min(at, len(changed) - 1)] = random.randrange(256)
        elif kind == 1:
            changed[at:at] = bytes(random.randrange(256) for _ in range(random.randint(1, 4)))
        elif kind == 2:
            del changed[at : at + random.randint(1, 30)]
        else:
            changed[at:at] = changed[at : at + random.randint(1, 50)] * random.randint(1, 5)
    return bytes(changed)


def _stretch(random: Random, tokens: Tokens, longest: int = 12) -> tuple[int, int]:
    start = random.randrange(len(tokens))
    return start, min(len(tokens), start + random.randint(1, longest))


def _replaced(tokens: Tokens, start: int, end: int, made: Tokens) -> Tokens:
    return [*tokens[:start], *made, *tokens[end:]]


def _delete(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    start, end = _stretch(random, tokens, random.choice((1, 1, 3, 20)))
    return _replaced(tokens, start, end, [])


def _duplicate(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    start, end = _stretch(random, tokens, random.choice((1, 4, 40)))
    times = random.choice((1, 1, 1, 2, 30))
    return _replaced(tokens, end, end, tokens[start:end] * times)


def _swap(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    first, second = random.randrange(len(tokens)), random.randrange(len(tokens))
    changed = list(tokens)
    changed[first], changed[second] = changed[second], changed[first]
    return changed


def _move(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    start, end = _stretch(random, tokens, 30)
    rest = _replaced(tokens, start, end, [])
    at = random.randint(0, len(rest))
    return _replaced(rest, at, at, tokens[start:end])


def _splice(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """A stretch of another file, in place of one of this or between two tokens."""
    start, end = _stretch(random, pool, random.choice((2, 10, 60)))
    here, there = _stretch(random, tokens, 10)
    return _replaced(tokens, here, random.choice((here, there)), pool[start:end])


def _cross(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    return tokens[: random.randrange(len(tokens))] + pool[random.randrange(len(pool)) :]


def _truncate(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    cut = random.randrange(len(tokens))
    return tokens[:cut] if random.random() < 0.7 else tokens[cut:]


def _at(random: Random, tokens: Tokens, good: Callable[[str], bool]) -> int | None:
    places = [index for index, token in enumerate(tokens) if good(token)]
    return random.choice(places) if places else None


def _number(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    at = _at(random, tokens, is_number)
    made = random.choice((*odd.NUMBERS, str(random.randint(0, 70)), str(random.getrandbits(40))))
    return tokens if at is None else _replaced(tokens, at, at + 1, [made])


def _bracket(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """A bracket too many, too few, or of another kind."""
    brackets = "()[]{}<>"
    at = _at(random, tokens, lambda token: token in brackets)
    made = random.choice(([], [random.choice(brackets)], [random.choice(brackets)] * 2))
    return tokens if at is None else _replaced(tokens, at, at + random.randint(0, 1), made)


def _name(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """A name in place of another of this file or of the other one."""
    at = _at(random, tokens, is_name)
    source = random.choice((tokens, tokens, pool))
    taken = _at(random, source, is_name)
    if at is None or taken is None:
        return tokens
    return _replaced(tokens, at, at + 1, [source[taken]])


def _rename(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """A name everywhere, by another of the file, a keyword or something long."""
    at, taken = _at(random, tokens, is_name), _at(random, tokens, is_name)
    if at is None or taken is None:
        return tokens
    made = random.choice((tokens[taken], "x" * 300, "größe", "class", "N", "i", "T", "__x__"))
    return [made if token == tokens[at] else token for token in tokens]


def _operator(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    at = _at(random, tokens, lambda token: token in odd.OPERATORS)
    return tokens if at is None else _replaced(tokens, at, at + 1, [random.choice(odd.OPERATORS)])


def _type(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    known = {"int", "float", "double", "half", "unsigned", "float4", "size_t", "T", "auto", "void"}
    at = _at(random, tokens, known.__contains__)
    return tokens if at is None else _replaced(tokens, at, at + 1, [random.choice(odd.TYPES)])


def _expression(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """An odd expression in place of a name or number, or of what stands in brackets."""
    made = [random.choice(odd.EXPRESSIONS)]
    if random.random() < 0.3:
        at = _at(random, tokens, ("(", "[").__contains__)
        if at is not None:
            return _replaced(tokens, at + 1, max(at + 1, closing(tokens, at)), made)
    at = _at(random, tokens, lambda token: is_name(token) or is_number(token))
    return tokens if at is None else _replaced(tokens, at, at + 1, made)


def _insert(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """An odd statement behind a semicolon or brace, an odd blank or operator anywhere."""
    at = _at(random, tokens, (";", "{", "}").__contains__)
    if at is not None and random.random() < 0.8:
        return _replaced(tokens, at + 1, at + 1, [" ", random.choice(odd.STATEMENTS), " "])
    at = random.randint(0, len(tokens))
    return _replaced(tokens, at, at, [random.choice((*odd.BLANKS, *odd.OPERATORS))])


def _item(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """An odd item at the start, at the end, or behind a line."""
    at = random.choice((0, len(tokens), _at(random, tokens, "\n".__eq__) or 0))
    return _replaced(tokens, at, at, ["\n", random.choice(odd.ITEMS), "\n"])


def _statement(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """A statement deleted, doubled, moved, or taken from the other file."""
    here, there = statements(tokens), statements(pool)
    if not here:
        return tokens
    start, end = random.choice(here)
    kind = random.randrange(4)
    if kind == 0 and there:
        first, last = random.choice(there)
        return _replaced(tokens, start, start, pool[first:last])
    if kind == 1:
        return _replaced(tokens, start, end, [])
    if kind == 2:
        return _replaced(tokens, end, end, tokens[start:end])
    at = random.choice(here)[0]
    return _replaced(tokens, at, at, tokens[start:end])


_WRAPPERS = (
    ("if (i < N) {", "}"), ("if (a[i] > 0) {", "} else {}"), ("for (int w = 0; w < N; ++w) {", "}"),
    ("for (int w = i; w < N; w += blockDim.x * gridDim.x) {", "}"), ("while (s < 3.0f) {", "}"), ("do {", "} while (i--);"),
    ("switch (i) { case 0:", "default: break; }"), ("{", "}"), ("auto fn = [&]() {", "}; fn();"), ("for (int w = 8; w; w >>= 1)", ""),
    ("#pragma unroll\nfor (int w = 0; w < 4; ++w) {", "}"), ("#if 0\n", "\n#endif\n"), ("#define BODY ", "\nBODY BODY"), ("else {", "}"), ("try {", "} catch (...) {}"),
    ("#ifdef NOPE\n", "\n#else\n;\n#endif\n"), ("for (int w = 0; w < 100; w++) for (int z = w; z < 100; z += 3) {", "}"), ("asm(", ");"), ("template <int Q> {", "}"), ("namespace {", "}"), ("while (true) {", "if (i > 3) break; }"),
)  # fmt: skip


def _wrap(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """A statement, or a run of them, inside another."""
    found = statements(tokens)
    if not found:
        return tokens
    start, end = random.choice(found)
    for _ in range(random.choice((1, 1, 1, 2, 40))):
        before, after = random.choice(_WRAPPERS)
        tokens = _replaced(tokens, start, end, ["\n", before, *tokens[start:end], after, "\n"])
        end += 4
    return tokens


def _parentheses(random: Random, tokens: Tokens, pool: Tokens) -> Tokens:
    """What stands in brackets once more in brackets, or many times."""
    at = _at(random, tokens, OPENING.__contains__)
    if at is None:
        return tokens
    end, times = closing(tokens, at), random.choice((1, 2, 60))
    bracket = random.choice("({[")
    made = [bracket] * times + tokens[at + 1 : end] + [OPENING[bracket]] * times
    return _replaced(tokens, at + 1, max(at + 1, end), made)


MUTATIONS: tuple[Mutation, ...] = (
    _delete, _duplicate, _swap, _move, _splice, _splice, _cross, _truncate, _number, _number, _bracket, _name, _name, _rename, _operator, _operator,
    _type, _type, _expression, _expression, _expression, _insert, _insert, _insert, _item, _item, _statement, _statement, _statement, _wrap, _wrap, _parentheses,
)  # fmt: skip
