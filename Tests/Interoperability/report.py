"""What was tried with each peer, and whether it works: printed as it happens, written to a document at the end."""

from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version

BEGIN, END = "<!-- Written by `make test-clients`. -->\n", "<!-- The end of what `make test-clients` writes. -->\n"
TITLE = "# Interoperability\n\nWhich peers were tried, and what works: the tables between the marks are written by the runs that they name.\n"


@dataclass
class Peer:
    name: str
    what: str
    rows: list = field(default_factory=list)

    @property
    def title(self):
        return f"{self.name} {version(self.name)}"

    @contextmanager
    def tries(self, what):
        """Counts the block as works unless it throws; what comes after it is tried all the same."""
        try:
            yield
            self.rows.append((what, "works"))
        except Exception as problem:  # Whatever a client throws is the outcome.
            self.rows.append((what, f"does not: {problem}"))
        print(f"{self.name}: {what}: {self.rows[-1][1]}", flush=True)

    def section(self):
        cells = [(what, outcome.replace("|", "\\|").split("\n")[0]) for what, outcome in self.rows]
        table = [f"| {what} | {outcome} |" for what, outcome in cells]
        return "\n".join([f"### {self.title}", "", self.what, "", "| tried | outcome |", "|---|---|", *table, ""])


def add_row(path, what, outcome):
    """Puts a row into the table of what was tried on Synapse, behind those that are there."""
    document = path.read_text()
    before, table = document.split("| tried | what came of it |\n|---|---|\n")
    rows, rest = table.split("\n\n", 1)
    rows = [row for row in rows.split("\n") if not row.startswith(f"| {what} |")]
    table = "\n".join(rows + [f"| {what} | {outcome} |"])
    path.write_text(f"{before}| tried | what came of it |\n|---|---|\n{table}\n\n{rest}")


def write(peers, path):
    """Puts the section into the document at `path`; what others wrote there stays."""
    try:
        document = path.read_text()
    except FileNotFoundError:
        document = TITLE + "\n" + BEGIN + END
    if BEGIN not in document:
        document += "\n" + BEGIN + END
    before, rest = document.split(BEGIN)
    after = rest.split(END)[1]
    section = "\n## Other people's clients on the embedded server\n\n" + "\n".join(peer.section() for peer in peers)
    path.write_text(before + BEGIN + section + "\n" + END + after)
