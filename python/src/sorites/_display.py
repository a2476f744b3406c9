"""Tables, curves and force plots, as text and as HTML. Pictures are SVG, so nothing is needed to see them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

if TYPE_CHECKING:
    from .result import Explanation, LearnLog, Result

_UP, _DOWN = "#c0392b", "#2874a6"  # what pulls up, what pulls down
_MOST_ROWS = 10


def shown(value: float, form: str) -> str:
    """As people read it: what is rounded to nothing has no sign."""
    text = format(value, form)
    return text if float(text) else format(0.0, form.lstrip("+"))


def number_text(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return "" if value is None else ("yes" if value else "no")
    if isinstance(value, float):
        return shown(value, ".4g")
    if isinstance(value, list):
        return f"{len(value)} weights"
    return str(value)


def table_text(rows: List[Dict[str, Any]]) -> str:
    if not rows:
        return "no rows"
    names = list(rows[0])
    cells = [names] + [[number_text(row[name]) for name in names] for row in rows]
    widths = [max(len(line[k]) for line in cells) for k in range(len(names))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
                     for line in cells)


def table_html(rows: List[Dict[str, Any]]) -> str:
    if not rows:
        return "<p>no rows</p>"
    head = "".join(f"<th>{html.escape(name)}</th>" for name in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(number_text(cell))}</td>"
                         for cell in row.values()) + "</tr>"
        for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def result_html(result: "Result") -> str:
    report = result.report
    gap = f", gap {result.gap:.1e}" if result.gap is not None else ""
    parts = [f"<p><b>{html.escape(result.status)}</b>, objective {result.objective:.6g}{gap}, "
             f"{report['atoms']:,} atoms, {report['terms']:,} ground rules</p>"]
    for predicate in result:
        columns = result.columns(predicate)
        count = len(columns["value"])
        rows = [{name: _plain(column[i]) for name, column in columns.items()}
                for i in range(min(count, _MOST_ROWS))]
        more = f"<p>and {count - _MOST_ROWS:,} more</p>" if count > _MOST_ROWS else ""
        parts.append(f"<details open='open'><summary>{html.escape(predicate)}</summary>{table_html(rows)}{more}</details>")
    if result.conflict:
        conflict = "".join(f"<li><code>{html.escape(one['ground_rule'])}</code></li>" for one in result.conflict)
        parts.append(f"<p>These hard rules contradict each other:</p><ul>{conflict}</ul>")
    parts.append(f"<details><summary>rules</summary>{result.rules._repr_html_()}</details>")
    return "".join(parts)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def explanation_text(explanation: "Explanation") -> str:
    lines: List[str] = []
    for atom in explanation.atoms:
        lines.append(f"{atom['atom']} = {shown(atom['value'], '.4f')}")
        for effect in _effects(atom):
            lines.append(f"  {shown(effect['force'], '+.4f')}  {effect['ground_rule']}")
    for rule in explanation.rules:
        lines.append(f"rule {rule['rule']}: {rule['text']}, energy {rule['energy']:.4g}")
        for effect in rule["worst_groundings"]:
            lines.append(f"  {shown(effect['distance'], '.4f')}  {effect['ground_rule']}")
    return "\n".join(lines)


def _effects(atom: Dict[str, Any]) -> List[Dict[str, Any]]:
    return atom["up"] + atom["down"] + atom["tight"]


def explanation_html(explanation: "Explanation") -> str:
    parts = [force_plot(atom) for atom in explanation.atoms]
    for rule in explanation.rules:
        rows = [{"distance": one["distance"], "energy": one["energy"], "ground rule": one["ground_rule"]}
                for one in rule["worst_groundings"]]
        parts.append(f"<p>rule {rule['rule']}: <code>{html.escape(rule['text'])}</code></p>{table_html(rows)}")
    return "".join(parts)


def force_plot(atom: Dict[str, Any]) -> str:
    """A bar per ground rule, to the right if it pulls up, to the left if it pulls down."""
    effects = _effects(atom)
    width, row, middle = 760, 20, 160
    largest = max([abs(one["force"]) for one in effects] + [1e-12])
    height = row * (len(effects) + 1) + 8
    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
             "font-family='sans-serif' font-size='12'>",
             f"<text x='4' y='15' font-weight='bold'>{html.escape(atom['atom'])} = {shown(atom['value'], '.4f')}</text>"]
    for number, one in enumerate(effects, 1):
        length = (middle - 20) * abs(one["force"]) / largest
        up = one["force"] >= 0
        y = row * number + 4
        parts.append(
            f"<rect x='{middle if up else middle - length:.1f}' y='{y}' width='{max(length, 1):.1f}' height='14' "
            f"fill='{_UP if up else _DOWN}'/>"
            f"<text x='{2 * middle}' y='{y + 12}'>{shown(one['force'], '+.3g')}  {html.escape(one['ground_rule'])}</text>")
    parts.append(f"<line x1='{middle}' y1='{row}' x2='{middle}' y2='{height - 4}' stroke='#555'/></svg>")
    return "".join(parts)


def learning_html(log: "LearnLog") -> str:
    epochs = [epoch["epoch"] for epoch in log.history]
    parts = [f"<p>{html.escape(log.report['loss'])}, {epochs[-1] if epochs else 0} epochs, "
             f"stopped by {html.escape(str(log.stop))}</p>"]
    for name in ("loss", "training_metric", "validation_metric"):
        points = [(epoch["epoch"], epoch[name]) for epoch in log.history if epoch[name] is not None]
        if len(points) > 1:
            parts.append(curve(name.replace("_", " "), points))
    return "".join(parts) + log.rules._repr_html_()


def curve(name: str, points: Sequence[Tuple[float, float]]) -> str:
    """A line through points, with the smallest and the largest value beside it."""
    width, height, left, below = 320, 140, 64, 18
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low, high = min(ys), max(ys)
    across, up = (max(xs) - min(xs)) or 1.0, (high - low) or 1.0
    line = " ".join(
        f"{left + (width - left - 8) * (x - min(xs)) / across:.1f},{height - below - (height - below - 24) * (y - low) / up:.1f}"
        for x, y in points)
    return (f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
            "font-family='sans-serif' font-size='11'>"
            f"<text x='{left}' y='14' font-weight='bold'>{html.escape(name)}</text>"
            f"<text x='2' y='30'>{high:.4g}</text><text x='2' y='{height - below}'>{low:.4g}</text>"
            f"<text x='{left}' y='{height - 4}'>epoch {min(xs)} to {max(xs)}</text>"
            f"<polyline points='{line}' fill='none' stroke='{_DOWN}' stroke-width='1.5'/></svg>")
