"""The call graph, for naming a recursion."""

from __future__ import annotations

from pycparser import c_ast

from estimator.parse.unit import Unit


def cycle_through(unit: Unit, name: str) -> list[str]:
    """The functions on a shortest cycle of calls through `name`, which stands first and last."""
    import networkx

    graph = networkx.DiGraph()
    for function in unit.functions.values():
        stack: list[c_ast.Node] = [function.definition.body]
        while stack:
            node = stack.pop()
            if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
                graph.add_edge(function.name, node.name.name)
            stack.extend(child for _, child in node.children())
    paths = [
        networkx.shortest_path(graph, following, name)
        for following in graph.successors(name)
        if networkx.has_path(graph, following, name)
    ]
    return [name, *min(paths, key=len, default=[name])]
