"""The call graph, for naming a recursion."""

from __future__ import annotations

from pycparser import c_ast

from estimator.parse.nodes import nodes_of
from estimator.parse.unit import Unit


def cycle_through(unit: Unit, name: str) -> list[str]:
    """The functions on a shortest cycle of calls through `name`, which stands first and last."""
    import networkx

    graph = networkx.DiGraph()
    for function in unit.functions.values():
        for node in nodes_of(function.definition.body):
            if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
                graph.add_edge(function.name, node.name.name)
    paths = [
        networkx.shortest_path(graph, following, name)
        for following in graph.successors(name)
        if networkx.has_path(graph, following, name)
    ]
    return [name, *min(paths, key=len, default=[name])]
