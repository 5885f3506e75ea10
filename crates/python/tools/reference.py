"""Writes docs/reference/python.md from the package's signatures and docstrings; ``--check`` says whether it is current.

    python crates/python/tools/reference.py [--check]

Sources are parsed, not imported, so neither the wheel nor any frame library is needed.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "python/mingle"
PAGE = Path(__file__).resolve().parents[3] / "docs/reference/python.md"

#: module, title, and which of its names are public
SECTIONS = [
    ("policy", "Policies", ["Policy"]),
    ("plan", "Plans", ["plan", "Plan"]),
    ("release", "Releases", ["Release", "open", "measure", "report"]),
    ("verdict", "Verdicts", ["verify", "Verdict"]),
    ("gate", "Gates for tests", ["assert_holds"]),
    ("attack", "Attacks", ["insider", "background_join", "minimality", "intersection", "Attack"]),
    ("dp", "Differential privacy", ["Ledger", "compose"]),
    ("synth", "Made-up tables", ["synth"]),
    ("spark/publishing", "Clusters: publishing", ["publish"]),
    ("spark/verifying", "Clusters: verifying", ["verify"]),
    ("spark/measuring", "Clusters: measuring", ["measure"]),
    ("errors", "What goes wrong", ["MingleError", "PromiseBroken", "Problem", "Place"]),
]

#: how a caller writes the module of a section
PREFIX = {"attack": "mingle.attack.", "dp": "mingle.dp.", "gate": "mingle.gate."}
PREFIX |= {f"spark/{name}": "mingle.spark." for name in ("publishing", "verifying", "measuring")}

HEAD = """# The Python package

<!-- written by crates/python/tools/reference.py from the package's docstrings; its tests say when it is not current -->

Everything below is `import mingle`. How it goes together: [mingle from Python](../guides/python.md).

A `Table` is a frame of pandas, polars, pyarrow, DuckDB or Spark, or of anything else with `__arrow_c_stream__`, or the path of a
file. `Tables` are one of those, or a dict of them by provider. `Progress` is `True`, `False`, or a function of step, done and
total; where it is left out, a line is shown in terminals and notebooks. In the examples `folder` is a folder of your own.
"""


def signature(function: ast.FunctionDef, name: str) -> str:
    """``name(arguments) -> result`` without self."""
    arguments = function.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments = ast.arguments(
            posonlyargs=arguments.posonlyargs,
            args=arguments.args[1:],
            vararg=arguments.vararg,
            kwonlyargs=arguments.kwonlyargs,
            kw_defaults=arguments.kw_defaults,
            kwarg=arguments.kwarg,
            defaults=arguments.defaults,
        )
    returns = f" -> {ast.unparse(function.returns)}" if function.returns is not None else ""
    if function.name == "__init__":
        returns = ""
    line = f"{name}({ast.unparse(arguments)}){returns}"
    if len(line) <= 110:
        return line
    # one argument a line
    parts = ast.unparse(arguments)
    pieces, depth, start = [], 0, 0
    for place, sign in enumerate(parts):
        depth += (sign in "[({") - (sign in "])}")
        if sign == "," and depth == 0:
            pieces.append(parts[start:place].strip())
            start = place + 1
    pieces.append(parts[start:].strip())
    return f"{name}(\n" + "".join(f"    {piece},\n" for piece in pieces) + f"){returns}"


def plain_ticks(text: str) -> str:
    """Two ticks are one in Markdown; three open a block."""
    return re.sub(r"(?<!`)``(?!`)", "`", text)


def prose(docstring: str) -> str:
    """A docstring as Markdown: parameters become a list, examples a block."""
    out: list[str] = []
    example: list[str] = []
    parameters: list[str] = []
    for line in [*textwrap.dedent(docstring).strip().splitlines(), ""]:
        if line.startswith(":param "):
            name, _, meaning = line.removeprefix(":param ").partition(": ")
            parameters.append(f"* `{name}`: {meaning}")
        elif parameters and line.startswith("    ") and not example:
            parameters[-1] += " " + line.strip()
        elif line.startswith(">>>") or (example and line):
            example.append(line)
        else:
            if example:
                out += ["```pycon", *example, "```"]
                example = []
            out.append(line)
    text = "\n".join(out).strip()
    if parameters:
        text += "\n\n" + "\n".join(parameters)
    for role in (":class:", ":func:", ":meth:"):
        text = text.replace(role, "")
    return plain_ticks(text)


def attribute_comments(node: ast.ClassDef, lines: list[str]) -> list[str]:
    """Attributes with the comments ``#:`` above them."""
    found = []
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        above = lines[statement.lineno - 2].strip()
        meaning = plain_ticks(above.removeprefix("#:").strip()) if above.startswith("#:") else ""
        said = f"* `{statement.target.id}: {ast.unparse(statement.annotation)}`"
        found.append(f"{said}: {meaning}" if meaning else said)
    return found


def of_function(function: ast.FunctionDef, name: str) -> list[str]:
    """A function or method."""
    said = ["```python", signature(function, name), "```"]
    docstring = ast.get_docstring(function)
    if docstring:
        said += ["", prose(docstring)]
    return [*said, ""]


def of_class(node: ast.ClassDef, name: str, lines: list[str]) -> list[str]:
    """A class with its attributes, properties and methods."""
    said = [prose(ast.get_docstring(node) or ""), ""]
    methods = [m for m in node.body if isinstance(m, ast.FunctionDef)]
    attributes = attribute_comments(node, lines)
    for method in methods:
        if any(isinstance(d, ast.Name) and d.id == "property" for d in method.decorator_list):
            meaning = (ast.get_docstring(method) or "").splitlines()[0]
            returns = ast.unparse(method.returns) if method.returns is not None else "Any"
            attributes.append(f"* `{method.name}: {returns}`: {plain_ticks(meaning)}")
    said += [*attributes, ""] if attributes else []
    shown_constructor = name.endswith(("Policy", "Ledger"))
    for method in methods:
        is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in method.decorator_list)
        if method.name == "__init__" and shown_constructor:
            said += of_function(method, name)
        elif not method.name.startswith("_") and not is_property:
            is_static = any(
                isinstance(d, ast.Name) and d.id in ("classmethod", "staticmethod") for d in method.decorator_list
            )
            owner = name if is_static else node.name.lower()
            said += of_function(method, f"{owner}.{method.name}")
    return said


def page() -> str:
    """The whole page."""
    said = [HEAD]
    for module, title, names in SECTIONS:
        source = (PACKAGE / f"{module}.py").read_text(encoding="utf-8")
        lines, tree = source.splitlines(), ast.parse(source)
        defined = {n.name: n for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
        said += [f"## {title}", ""]
        about = prose(ast.get_docstring(tree) or "")
        if about:
            said += [about, ""]
        for name in names:
            node = defined[name]
            full = PREFIX.get(module, "mingle.") + name
            said += [f"### {full}", ""]
            if isinstance(node, ast.ClassDef):
                said += of_class(node, full, lines)
            else:
                said += of_function(node, full)
    text = "\n".join(said)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.rstrip() + "\n"


def main() -> int:
    """Writes the page, or compares it."""
    made = page()
    if "--check" in sys.argv[1:]:
        if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == made:
            return 0
        print("docs/reference/python.md is not current: run python crates/python/tools/reference.py", file=sys.stderr)
        return 1
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
