"""What the experiments with networks share: runs over seeds, and a table of accuracy and of where the time goes."""
import dataclasses

import paired
from harness import markdown, row_of

TIMES = {"networks": "seconds_networks", "inference": "seconds_solving", "ground": "seconds_grounding"}


@dataclasses.dataclass
class Setting:
    """One line of a table: flags of `sorites learn`, and the metric that counts."""

    name: str
    predicate: str
    metric: str
    flags: tuple = ()
    learned: bool = True  # else the metric before learning
    bar: float | None = None  # in percent: what the papers reach
    against: tuple = ()  # names of settings that it is compared with, seed by seed


def train(session, setting, models, progress, quick_epochs):
    """Learns every model, given by seed, and adds the rows of the setting."""
    shorter = session.quick and "--epochs" not in setting.flags
    flags = (*setting.flags, "--epochs", quick_epochs) if shorter else setting.flags
    reports = {}
    try:
        for seed, model in models.items():
            report = learn(session, model, seed, flags)
            progress.step(f"{setting.name}, seed {seed}: {text_of(report, setting)}")
            reports |= {seed: report} if report else {}
    finally:  # an interrupt keeps the seeds that are done
        add_rows(session, setting, reports)


def learn(session, model, seed, flags):
    """The report of a run; lines of a table that only look at different metrics of a run share it."""
    key = (model, flags)
    if key not in session.reports:
        session.reports[key] = session.sorites("learn", model, "--seed", seed + 1, *flags)
    return session.reports[key]


def value_of(report, setting):
    metrics = report["learned" if setting.learned else "untrained"]["metrics"]
    return metrics[setting.predicate.upper()][setting.metric]


def text_of(report, setting):
    if report is None:
        return "failed"
    return f"{setting.metric} {value_of(report, setting):.4f} in {report['seconds']['learn']:.1f} s"


def add_rows(session, setting, reports):
    if not reports:
        return
    learning = [report["seconds"]["learn"] for report in reports.values()]
    values = {seed: value_of(report, setting) for seed, report in reports.items()}
    session.rows.append(row_of(setting.name, setting.metric, values, learning))
    for key, metric in TIMES.items():
        seconds = [report["seconds"][key] for report in reports.values()]
        session.rows.append(row_of(setting.name, metric, seconds, learning))


def table_of(session, settings):
    figures = {(row.setting, row.metric): row for row in session.rows}
    lines = []
    for setting in settings:
        row = figures.get((setting.name, setting.metric))
        if row is None:
            continue
        times = [f"{figures[setting.name, metric].mean:.1f}" for metric in TIMES.values()]
        bar = "" if setting.bar is None else f"{setting.bar:.1f}"
        accuracy = f"{100 * row.mean:.1f} ± {100 * row.std:.1f}"
        least = f"{100 * min(row.values.values()):.1f}"
        lines.append([setting.name, str(row.n), accuracy, least, bar, f"{row.seconds:.0f}", *times])
    header = ["setting", "seeds", "accuracy in %", "least", "papers", "learning in s", "networks", "solving", "grounding"]
    return markdown(header, lines)


def differences_of(session, settings):
    """Paired differences of accuracy, in percent."""
    figures = {row.setting: row for row in session.rows if row.metric not in TIMES.values()}
    lines = []
    for setting in settings:
        for other in setting.against:
            if setting.name in figures and other in figures:
                found = paired.difference(figures[setting.name].values, figures[other].values)
                lines += [f"{setting.name}, minus {other}: {found.text(100, 1)} over {found.n} seeds."] if found else []
    return lines + ["\\* is significant at 0.05, by a paired t-test."] if lines else []


def verdict_of(session, settings):
    """Which lines with a bar keep it, and paired differences."""
    if session.quick:
        return ["A quick run: it shows that all of it runs, not how good it is."]
    figures = {(row.setting, row.metric): row for row in session.rows}
    with_bar = [s for s in settings if s.bar is not None and (s.name, s.metric) in figures]
    missed = [
        f"{s.name} ({100 * figures[s.name, s.metric].mean:.1f}, papers {s.bar:.1f})"
        for s in with_bar
        if 100 * figures[s.name, s.metric].mean < s.bar
    ]
    differences = differences_of(session, settings)
    if not with_bar:
        return differences
    return [f"As good as the papers in {len(with_bar) - len(missed)} of {len(with_bar)} settings"
            + (f"; not in {', '.join(missed)}." if missed else "."), *differences]
