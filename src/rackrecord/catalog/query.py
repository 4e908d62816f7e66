"""Which results somebody asks for: filters by name, each value checked against what the catalog knows."""

from collections.abc import Iterable, Iterator

from rackrecord.catalog.accelerators import accelerators, find_accelerator
from rackrecord.catalog.benchmarks import benchmarks, find_benchmark
from rackrecord.catalog.claim import SCENARIOS, Claim
from rackrecord.catalog.mlperf import AVAILABILITIES, DIVISIONS
from rackrecord.catalog.store import Catalog
from rackrecord.data import Data
from rackrecord.errors import Problem, UserError
from rackrecord.suggest import did_you_mean


class Query(Data):
    """Filters over results. A result matches if every filter that is not empty has its value.

    `benchmarks` are pairs of id and accuracy target, None for any target; `accelerators` canonical ids, of
    which a mixed system needs one; `submitters` are in lower case.
    """

    benchmarks: tuple[tuple[str, str | None], ...] = ()
    scenarios: tuple[str, ...] = ()
    accelerators: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
    divisions: tuple[str, ...] = ()
    availabilities: tuple[str, ...] = ()
    submitters: tuple[str, ...] = ()

    def matches(self, claim: Claim) -> bool:
        """Whether a result is asked for."""
        return (
            _allows(self.scenarios, claim.scenario)
            and _allows(self.divisions, claim.division)
            and _allows(self.availabilities, claim.availability)
            and _allows(self.rounds, claim.round)
            and _allows(self.submitters, claim.submitter.casefold())
            and (not self.accelerators or not set(claim.accelerators).isdisjoint(self.accelerators))
            and (
                not self.benchmarks
                or (claim.benchmark, None) in self.benchmarks
                or (claim.benchmark, claim.accuracy_target) in self.benchmarks
            )
        )


def _allows(values: tuple[str, ...], value: str) -> bool:
    return not values or value in values


def build_query(
    catalog: Catalog,
    *,
    benchmarks: Iterable[str] = (),
    scenarios: Iterable[str] = (),
    accelerators: Iterable[str] = (),
    rounds: Iterable[str] = (),
    divisions: Iterable[str] = (),
    availabilities: Iterable[str] = (),
    submitters: Iterable[str] = (),
) -> Query:
    """The query for names as a person writes them: aliases, any case.

    Raises UserError for every unknown name, with the nearest known one. Submitters are not checked, since
    only the results name them.
    """
    problems: list[Problem] = []
    query = Query(
        benchmarks=tuple(_benchmark(name, catalog, problems) for name in benchmarks),
        scenarios=_choices("scenario", scenarios, SCENARIOS, problems),
        accelerators=tuple(_accelerator(name, catalog, problems) for name in accelerators),
        rounds=_choices("round", rounds, catalog.round_names(), problems),
        divisions=_choices("division", divisions, DIVISIONS, problems),
        availabilities=_choices("availability", availabilities, AVAILABILITIES, problems),
        submitters=tuple(name.strip().casefold() for name in submitters),
    )
    if problems:
        raise UserError(problems)
    return query


def select(catalog: Catalog, query: Query) -> Iterator[Claim]:
    """The results that match, sorted by benchmark, round and id; reads no more files than it must."""
    view = catalog.restricted(query.rounds) if query.rounds else catalog
    asked = {benchmark for benchmark, _ in query.benchmarks} if query.benchmarks else None
    return (claim for claim in view.all_claims(asked) if query.matches(claim))


def _choices(
    what: str, names: Iterable[str], known: tuple[str, ...], problems: list[Problem]
) -> tuple[str, ...]:
    usual = {name.casefold(): name for name in known}
    found = []
    for name in names:
        if name.casefold() not in usual:
            message = f"no {what} {name!r}{did_you_mean(name, known)}; expected one of {', '.join(known)}"
            problems.append(Problem("", None, None, what, message))
        else:
            found.append(usual[name.casefold()])
    return tuple(found)


def _benchmark(name: str, catalog: Catalog, problems: list[Problem]) -> tuple[str, str | None]:
    there = {benchmark.casefold(): benchmark for benchmark in catalog.benchmarks()}
    found = find_benchmark(name) or ((there[name.casefold()], None) if name.casefold() in there else None)
    if found is None:
        known = sorted({*benchmarks(), *there.values()})
        message = f"no benchmark {name!r}{did_you_mean(name, known)}; expected one of {', '.join(known)}"
        problems.append(Problem("", None, None, "benchmark", message))
        return (name, None)
    return found


def _accelerator(name: str, catalog: Catalog, problems: list[Problem]) -> str:
    there = {accelerator.casefold(): accelerator for accelerator in catalog.accelerators()}
    found = find_accelerator(name) or there.get(name.casefold())
    if found is None or (found not in accelerators() and found not in there.values()):
        known = [spelling for kind in accelerators().values() for spelling in (kind.id, kind.name)]
        message = (
            f"no accelerator {name!r}{did_you_mean(name, [*known, *there.values()])}; "
            'expected one kind by its id, name or spelling, such as nvidia-gb300 or "NVIDIA GB300"'
        )
        problems.append(Problem("", None, None, "accelerator", message))
        return name
    return found
