"""Whether nodes see each other's files: one writes a file with its name and time, the others look for it on the shared file system.

Started by ``srun`` with one task per node; ``{shared}`` is the folder of the shared file system. The delay is the reader's clock less the
writer's, so it is as good as the clocks (`clock.offset`).
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.storage import Sight, Visibility

SIGHT = re.compile(r"^# sight path=(\S+) writer=(\S+) reader=(\S+) seconds=(\S+) matches=([01])$")
SCRIPT = """\
file={shared}/.rackwright-visibility-$SLURM_JOB_ID; me=$(hostname -s)
if [ "$SLURM_PROCID" = 0 ]; then
  printf '%s %s\\n' "$me" "$(date +%s.%N)" > "$file.part"; mv "$file.part" "$file"; sleep 20; rm -f "$file"; exit
fi
for _ in $(seq 150); do
  if [ -s "$file" ]; then
    read -r writer since < "$file"; took=$(awk "BEGIN{print $(date +%s.%N) - $since}")
    echo "# sight path={shared} writer=$writer reader=$me seconds=$took matches=1"; exit
  fi
  sleep 0.1
done
echo "# sight path={shared} writer=unknown reader=$me seconds=none matches=0"
"""


def parse(output: str) -> Visibility:
    """Every line ``# sight``."""
    matches = [
        (number, SIGHT.match(line)) for number, line in enumerate(output.splitlines(), 1) if line.startswith("# sight")
    ]
    if not matches:
        raise ParseError(1, output, "a line # sight path=... writer=... reader=...")
    sights = [_sight(number, match, output) for number, match in matches]
    return Visibility(path=next(match[1] for _, match in matches if match), sights=sights)


def _sight(number: int, match: re.Match[str] | None, output: str) -> Sight:
    if match is None:
        raise ParseError(number, output.splitlines()[number - 1], "# sight path= writer= reader= seconds= matches=")
    try:
        seconds = None if match[4] == "none" else float(match[4])
    except ValueError:
        raise ParseError(number, match[0], "seconds that are a number") from None
    return Sight(writer=match[2], reader=match[3], seconds=seconds, matches=match[5] == "1")


COLLECTOR = Collector(
    produces=Visibility,
    parse=parse,
    seconds=60,
    roles=("accelerator",),
    command=("sh", "-c", SCRIPT),
    scope="group",
    own_lines=(r"# sight .* reader=(\S+) seconds=",),
    load=True,
)
