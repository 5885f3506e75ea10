"""How things look in a notebook: plain HTML without scripts, every text escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .attack import Attack
    from .plan import Plan
    from .policy import Policy
    from .release import Release
    from .verdict import Verdict

GOOD, BAD = "#1a7f37", "#b42318"
BOX = "border:1px solid #8884;border-radius:6px;padding:.6em 1em;max-width:60em;overflow-x:auto"


def box(title: str, good: bool, body: str) -> str:
    """A frame with a title whose colour says whether all is well."""
    colour = GOOD if good else BAD
    return f'<div style="{BOX}"><strong style="color:{colour}">{escape(title)}</strong>{body}</div>'


def lines(text: str) -> str:
    """A text as it stands."""
    return f'<pre style="margin:.4em 0">{escape(text)}</pre>'


def warning_list(warnings: list[Any]) -> str:
    """Warnings, if there are any."""
    items = "".join(f"<li>{escape(str(warning))}</li>" for warning in warnings)
    return f"<ul>{items}</ul>" if items else ""


def bars(losses: list[dict[str, Any]]) -> str:
    """What each column loses, as bars."""
    rows: list[str] = []
    for column in losses:
        share = max(0.0, min(1.0, float(column["loss"])))
        bar = f'<div style="background:#4477aa;height:.8em;width:{share * 12:.2f}em"></div>'
        rows.append(f"<tr><td>{escape(column['column'])}</td><td>{bar}</td><td>{share:.3f}</td></tr>")
    return f"<table><caption>detail lost</caption>{''.join(rows)}</table>" if rows else ""


def loss_by_column(utility: dict[str, Any] | None) -> list[dict[str, Any]]:
    """What each column loses; nothing where that is not known."""
    for name in ("ncp", "information_loss"):
        if utility is not None and utility.get(name):
            columns: list[dict[str, Any]] = utility[name]["columns"]
            return columns
    return []


def plan_html(plan: Plan) -> str:
    """A plan: what it protects and costs."""
    body = lines(plan.text) + bars(loss_by_column(plan.answer.get("utility"))) + warning_list(plan.warnings)
    return box("would be published" if plan.holds else "refused", plan.holds, body)


def figures(rows: list[tuple[str, str]]) -> str:
    """Names and figures, side by side."""
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in rows
    )
    return f"<table>{cells}</table>"


def folded(title: str, body: str) -> str:
    """Something to open."""
    return f"<details><summary>{escape(title)}</summary>{body}</details>"


def release_html(release: Release) -> str:
    """A release: what it promises, costs and withstands, and its report folded away."""
    manifest = release.manifest
    rows: list[tuple[str, str]] = []
    for name in ("rows", "groups", "m", "method"):
        if manifest.get(name) is not None:
            rows.append((name, str(manifest[name])))
    for promise in manifest.get("promises", []):
        details = [f"{key} = {value}" for key, value in promise.items() if key not in ("name", "column")]
        about = f"{promise['column']}: " if promise.get("column") else ""
        rows.append((str(promise["name"]), about + ", ".join(details)))
    body = figures(rows)
    body += bars(loss_by_column(release.private_manifest.get("utility")))
    chart = release.exposure_chart()
    if chart is not None:
        body += f"<p>Who is exposed if providers collude (private: not part of what is handed out)</p>{chart}"
    page = release.public / "report.html"
    if page.is_file():
        # the report is a whole page without scripts, so it gets a frame of its own that may run none
        content = escape(page.read_text(encoding="utf-8"), quote=True)
        frame = f'<iframe sandbox srcdoc="{content}" style="width:100%;height:30em;border:0"></iframe>'
        body += folded("report", frame)
    verdict = str(manifest.get("verdict", "holds"))
    return box(f"release {release.folder}: {verdict}", verdict == "holds", body)


def verdict_html(verdict: Verdict) -> str:
    """A verdict."""
    return box("holds" if verdict.holds else "does not hold", verdict.holds, lines(verdict.text))


def attack_html(attack: Attack) -> str:
    """What an attack found, with its chart."""
    chart = attack.figure or ""
    return box("succeeds" if attack.succeeds else "withstands", not attack.succeeds, lines(repr(attack)) + chart)


def policy_html(policy: Policy) -> str:
    """A policy: its text, or its sections."""
    import json

    return lines(policy.text or json.dumps(policy.to_dict(), indent=2, ensure_ascii=False))
