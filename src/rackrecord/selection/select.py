"""From workload, options and catalog to used and excluded claims, and a planning figure for each option."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from statistics import median, quantiles
from typing import Literal

from msgspec.structs import replace

from rackrecord.catalog.accelerators import accelerator_name, find_accelerator
from rackrecord.catalog.benchmarks import Benchmark, benchmarks, compatible_group, find_benchmark, round_order
from rackrecord.catalog.claim import Caveat, CaveatCode, Claim
from rackrecord.catalog.store import Catalog
from rackrecord.data import Data
from rackrecord.measurements.measurement import Measurement
from rackrecord.profile.models import Option, Profile, VendorClaim, Workload
from rackrecord.quantities import fixed, percent
from rackrecord.selection.reasons import Reason
from rackrecord.selection.rules import (
    REQUEST_UNITS,
    Accepted,
    Candidate,
    Situation,
    absolute_reasons,
    reasons,
    with_relative,
)

NEAREST_FACTOR = 2
OUTLIER_BELOW = Decimal("0.6")


class ExcludedClaim(Data):
    """A published result that is no evidence here, with every reason."""

    claim: Claim
    reasons: tuple[Reason, ...]


class ExcludedStatement(Data):
    """A claim of the profile's own, a vendor's statement or a measurement, with every reason against it."""

    id: str
    kind: Literal["vendor-claim", "measurement"]
    who: str
    statement: str
    reasons: tuple[Reason, ...]


class OutOfScope(Data):
    """How many claims there are on another benchmark."""

    benchmark: str
    claims: int


class OptionEvidence(Data):
    """The evidence for one option. Figures are per accelerator, in `unit`; no official MLPerf metrics.

    `why_none` says why there is none; then the figures are None. `spread` is maximum over minimum,
    less one; `spread_without_outliers` leaves out figures under 60 % of the median.
    """

    option: str
    accelerator: str
    deployment_size: int
    measured_sizes: tuple[int, ...]
    round: str | None
    used: tuple[str, ...]
    runs: int
    submitters: tuple[str, ...]
    unit: str | None
    planning: Decimal | None
    median: Decimal | None
    minimum: Decimal | None
    maximum: Decimal | None
    spread: Decimal | None
    spread_without_outliers: Decimal | None
    caveats: tuple[Caveat, ...]
    why_none: str | None


class Selection(Data):
    """The evidence for one part of the workload.

    `len(used) + len(excluded) + len(excluded_statements) + sum(out_of_scope)` is the number of claims in the
    catalog and the profile together.
    """

    benchmark: str
    benchmark_name: str
    scenario: str
    unit: str
    mean_output_tokens: Decimal | None
    newest_round: str | None
    compatible_rounds: tuple[str, ...]
    options: tuple[OptionEvidence, ...]
    used: tuple[Claim, ...]
    excluded: tuple[ExcludedClaim, ...]
    excluded_statements: tuple[ExcludedStatement, ...]
    out_of_scope: tuple[OutOfScope, ...]
    claims_considered: int

    def evidence(self, option_id: str) -> OptionEvidence:
        """The evidence for one option; KeyError if there is no such option."""
        for evidence in self.options:
            if evidence.option == option_id:
                return evidence
        raise KeyError(option_id)


def accelerator_id(name: str) -> str:
    """The canonical id of an accelerator as a profile names it; an unknown name stays as it is."""
    return find_accelerator(name) or name


def select(
    profile: Profile,
    workload: Workload,
    catalog: Catalog,
    measurements: Sequence[tuple[str, Measurement]] = (),
) -> Selection:
    """The evidence for one part of the workload; `measurements` are own ones, each with its option."""
    benchmark, claims = _in_scope(workload, catalog)
    start = _start(profile, workload, benchmark)
    candidates = [Candidate.of_claim(claim) for claim in claims]
    absolute = [absolute_reasons(candidate, start) for candidate in candidates]
    sound = [claim for claim, found in zip(claims, absolute, strict=True) if not found]
    situation = _situation(profile, start, claims, sound)
    judged = [
        (claim, with_relative(found, candidate, situation))
        for claim, candidate, found in zip(claims, candidates, absolute, strict=True)
    ]
    good = [claim for claim, found in judged if not found]
    excluded = tuple(ExcludedClaim(claim=claim, reasons=found) for claim, found in judged if found)
    topic = f"{_submitted_name(benchmark, workload)} {workload.scenario}"
    evidence = tuple(_option_evidence(option, profile, topic, good, excluded) for option in profile.options)
    used_ids = {claim_id for option in evidence for claim_id in option.used}
    # A size accepted for one option of an accelerator only is no evidence where no option used it.
    late = tuple(
        ExcludedClaim(claim=claim, reasons=(Reason.OTHER_SCALE,))
        for claim in good
        if claim.id not in used_ids
    )
    statements, elsewhere = _own_claims(profile, situation, measurements)
    return Selection(
        benchmark=benchmark.id,
        benchmark_name=_submitted_name(benchmark, workload),
        scenario=workload.scenario,
        unit=_unit(benchmark, workload, good),
        mean_output_tokens=benchmark.mean_output_tokens,
        newest_round=max((c.round for c in good), key=round_order, default=None),
        compatible_rounds=tuple(sorted(situation.compatible, key=round_order)),
        options=evidence,
        used=tuple(claim for claim in good if claim.id in used_ids),
        excluded=tuple(sorted((*excluded, *late), key=lambda e: (round_order(e.claim.round), e.claim.id))),
        excluded_statements=statements,
        out_of_scope=_out_of_scope(catalog, benchmark.id, elsewhere),
        claims_considered=catalog.total + len(profile.vendor_claims) + len(measurements),
    )


def _in_scope(workload: Workload, catalog: Catalog) -> tuple[Benchmark, tuple[Claim, ...]]:
    found = find_benchmark(workload.benchmark)
    benchmark_id = found[0] if found is not None else workload.benchmark
    facts = benchmarks().get(benchmark_id) or Benchmark(id=benchmark_id)
    return facts, catalog.claims(benchmark_id)


def _submitted_name(benchmark: Benchmark, workload: Workload) -> str:
    """The benchmark's name as results cite it, with its accuracy target where it has several."""
    if not benchmark.accuracy_targets:
        return benchmark.id
    return f"{benchmark.id}-{workload.accuracy}" if workload.accuracy is not None else benchmark.id


def _unit(benchmark: Benchmark, workload: Workload, used: Sequence[Claim]) -> str:
    facts = benchmark.scenario(workload.scenario)
    if used:
        return used[0].unit
    return facts.unit if facts is not None else "Tokens/s"


def _start(profile: Profile, workload: Workload, benchmark: Benchmark) -> Situation:
    """The situation before anything is known of rounds and sizes."""
    return Situation(
        workload=_with_accuracy(workload),
        benchmark=benchmark,
        candidates=frozenset(accelerator_id(option.accelerator) for option in profile.options),
        precisions=frozenset(profile.policy.precisions) if profile.policy.precisions is not None else None,
        compatible=frozenset(),
        accepted={},
    )


def _situation(
    profile: Profile, start: Situation, claims: Sequence[Claim], sound: Sequence[Claim]
) -> Situation:
    """The situation with the group of rounds, the system sizes and the rounds in use worked out.

    `sound` are the claims that no rule excludes which looks at the claim alone.
    """
    benchmark, scenario = start.benchmark.id, start.workload.scenario
    groups = {compatible_group(benchmark, scenario, name) for name in {c.round for c in claims}}
    newest_first = sorted(groups, key=lambda group: round_order(group[-1]), reverse=True)
    for group in newest_first:
        accepted = _accepted(profile, [c for c in sound if c.round in group], claims)
        if any(sizes.newest(None) is not None for sizes in accepted.values()):
            return replace(start, compatible=frozenset(group), accepted=accepted)
    fallback: tuple[str, ...] = newest_first[0] if newest_first else ()
    return replace(start, compatible=frozenset(fallback), accepted=_accepted(profile, [], claims))


def _with_accuracy(workload: Workload) -> Workload:
    """The workload with the accuracy target that its benchmark's name carries (`llama2-70b-99.9`)."""
    found = find_benchmark(workload.benchmark)
    if workload.accuracy is not None or found is None or found[1] is None:
        return workload
    return workload.model_copy(update={"accuracy": Decimal(found[1])})


def _accepted(profile: Profile, sound: Sequence[Claim], claims: Sequence[Claim]) -> dict[str, Accepted]:
    """For each candidate accelerator the sizes that its options use, with the newest round used at each.

    Where nothing can be used, the sizes that could have been are accepted: size is not to blame there.
    """
    found: dict[str, dict[int, str | None]] = {}
    for option in profile.options:
        accelerator = accelerator_id(option.accelerator)
        rounds = found.setdefault(accelerator, {})
        mine = [claim for claim in sound if claim.accelerator == accelerator and claim.accelerator_count]
        chosen = _sizes_for(option, profile.policy.scale, {claim.accelerator_count or 0 for claim in mine})
        for size in chosen:
            rounds[size] = max((c.round for c in mine if c.accelerator_count == size), key=round_order)
        if not chosen:
            sizes = {claim.accelerator_count or 0 for claim in claims if claim.accelerator == accelerator} - {
                0
            }
            allowed = (size for size in sizes if _allowed(option, profile.policy.scale, size))
            rounds.update({size: rounds.get(size) for size in allowed})
    return {accelerator: Accepted(rounds) for accelerator, rounds in found.items()}


def _allowed(option: Option, scale: str, size: int) -> bool:
    wanted = option.accelerators_per_system
    if scale == "any" or size == wanted:
        return True
    return scale == "nearest" and wanted <= size * NEAREST_FACTOR and size <= wanted * NEAREST_FACTOR


def _sizes_for(option: Option, scale: str, sizes: set[int]) -> set[int]:
    """The size that stands for the option: its own if it was measured, else the nearest allowed one.

    Of two equally near sizes the larger one stands, whose per-accelerator figure promises less.
    """
    wanted = option.accelerators_per_system
    if wanted in sizes:
        return {wanted}
    allowed = [size for size in sizes if _allowed(option, scale, size)]
    return (
        {min(allowed, key=lambda size: (max(Decimal(size) / wanted, Decimal(wanted) / size), -size))}
        if allowed
        else set()
    )


def _option_evidence(
    option: Option, profile: Profile, topic: str, good: Sequence[Claim], excluded: Sequence[ExcludedClaim]
) -> OptionEvidence:
    accelerator = accelerator_id(option.accelerator)
    mine = [claim for claim in good if claim.accelerator == accelerator]
    sizes = _sizes_for(option, profile.policy.scale, {claim.accelerator_count or 0 for claim in mine})
    mine = [claim for claim in mine if claim.accelerator_count in sizes]
    newest = max((claim.round for claim in mine), key=round_order, default=None)
    used = [claim for claim in mine if claim.round == newest]
    runs = _distinct_runs(used)
    figures = sorted(figure for claim in runs if (figure := claim.per_accelerator) is not None)
    middle = median(figures) if figures else None
    return OptionEvidence(
        option=option.id,
        accelerator=accelerator,
        deployment_size=option.accelerators_per_system,
        measured_sizes=tuple(sorted(sizes)),
        round=newest,
        used=tuple(claim.id for claim in used),
        runs=len(runs),
        submitters=tuple(sorted({claim.submitter for claim in used})),
        unit=used[0].unit if used else None,
        planning=_statistic(profile.policy.statistic, figures) if figures else None,
        median=middle,
        minimum=figures[0] if figures else None,
        maximum=figures[-1] if figures else None,
        spread=_spread(figures),
        spread_without_outliers=_spread(
            [f for f in figures if middle is None or f >= OUTLIER_BELOW * middle]
        ),
        caveats=_evidence_caveats(option, used, runs, good, middle),
        why_none=None if used else _why_none(accelerator, topic, excluded),
    )


def _spread(figures: Sequence[Decimal]) -> Decimal | None:
    """Highest over lowest of sorted figures, less one."""
    return figures[-1] / figures[0] - 1 if figures and figures[0] else None


def _distinct_runs(used: Sequence[Claim]) -> list[Claim]:
    """One claim a run: one published under two accuracy targets counts once, under the stricter one."""
    runs: dict[tuple[str, str, str, Decimal], Claim] = {}
    for claim in sorted(used, key=lambda c: (Decimal(c.accuracy_target or 0), c.id), reverse=True):
        runs.setdefault((claim.round, claim.submitter, claim.platform, claim.value), claim)
    return list(runs.values())


def _statistic(name: str, figures: Sequence[Decimal]) -> Decimal:
    """The planning figure among sorted per-accelerator figures; quartiles interpolate between neighbors."""
    if name == "minimum":
        return figures[0]
    if name == "maximum":
        return figures[-1]
    if name == "lower-quartile" and len(figures) > 1:
        return quantiles(figures, n=4, method="inclusive")[0]
    return median(figures)


def _evidence_caveats(
    option: Option,
    used: Sequence[Claim],
    runs: Sequence[Claim],
    good: Sequence[Claim],
    middle: Decimal | None,
) -> tuple[Caveat, ...]:
    found: list[Caveat] = []

    def add(code: CaveatCode, text: str) -> None:
        found.append(Caveat(code=code, text=text))

    if not used or middle is None:
        return ()
    submitters = sorted({claim.submitter for claim in used})
    if len(submitters) == 1:
        add(CaveatCode.SINGLE_SOURCE, f"{option.name}: all evidence is by one submitter, {submitters[0]}.")
    size = used[0].accelerator_count
    if size != option.accelerators_per_system:
        add(
            CaveatCode.SCALED,
            f"{option.name}: measured on {size} accelerators, "
            f"deployed in systems of {option.accelerators_per_system}.",
        )
    newest = max((claim.round for claim in good), key=round_order)
    if used[0].round != newest:
        add(
            CaveatCode.OLDER_ROUND,
            f"{option.name}: its newest result is from {used[0].round}; other options use {newest}. "
            "The rounds are compatible, the software is not of one date.",
        )
    for claim in runs:
        figure = claim.per_accelerator
        if figure is not None and figure < OUTLIER_BELOW * middle:
            add(
                CaveatCode.OUTLIER,
                f"{option.name}: {claim.submitter} on {claim.platform} reaches "
                f"{percent(figure / middle, 0)} of the median; kept.",
            )
    if len(runs) < len(used):
        add(
            CaveatCode.SAME_RUN,
            f"{option.name}: {len(used) - len(runs)} results are the same run under another accuracy target; "
            "counted once.",
        )
    if marked := sum(claim.inferred for claim in used):
        add(
            CaveatCode.INFERRED,
            f"{option.name}: {marked} of {len(used)} used results are marked inferred by the source.",
        )
    for claim in used:
        for caveat in claim.caveats:
            if caveat.code != CaveatCode.INFERRED:
                add(caveat.code, f"{option.name}: {claim.submitter} on {claim.platform}: {caveat.text}.")
    return tuple(found)


def _why_none(accelerator: str, topic: str, excluded: Sequence[ExcludedClaim]) -> str:
    """One sentence: how many results there are on the accelerator, and why none is evidence."""
    mine = [item for item in excluded if accelerator in item.claim.accelerators]
    name = accelerator_name(accelerator)
    if not mine:
        return f"No published result of {name} on {topic.split()[0]}."
    counts = Counter(reason for item in mine for reason in item.reasons)
    listed = ", ".join(
        f"{count} {reason.value}" for reason, count in sorted(counts.items(), key=lambda c: (-c[1], c[0]))
    )
    results = "1 result is" if len(mine) == 1 else f"{len(mine)} results are"
    return f"No verified, comparable result on {topic}: {results} excluded for {name} ({listed})."


def _own_claims(
    profile: Profile, situation: Situation, measurements: Sequence[tuple[str, Measurement]]
) -> tuple[tuple[ExcludedStatement, ...], Counter[str]]:
    """The profile's own claims on this benchmark or on none, and the count of the others by benchmark."""
    inside: list[ExcludedStatement] = []
    elsewhere: Counter[str] = Counter()
    for claim in profile.vendor_claims:
        named = find_benchmark(claim.benchmark) if claim.benchmark is not None else None
        benchmark_id = named[0] if named is not None else claim.benchmark
        if benchmark_id not in (None, situation.benchmark.id):
            elsewhere[str(benchmark_id)] += 1
            continue
        inside.append(
            ExcludedStatement(
                id=claim.id,
                kind="vendor-claim",
                who=claim.who,
                statement=claim.statement,
                reasons=reasons(_statement_candidate(claim), situation),
            )
        )
    for option_id, measurement in measurements:
        inside.append(
            ExcludedStatement(
                id=f"{option_id}/{measurement.label or measurement.file}",
                kind="measurement",
                who=profile.owner,
                statement=f"{fixed(measurement.output_tokens_per_second)} output tokens/s "
                f"measured with {measurement.tool}",
                reasons=(Reason.NOT_VERIFIED,),
            )
        )
    return tuple(inside), elsewhere


def _statement_candidate(claim: VendorClaim) -> Candidate:
    subject = find_accelerator(claim.subject)
    return Candidate(
        id=claim.id,
        verified=False,
        names_benchmark=claim.benchmark is not None,
        availability="preview" if claim.stage == "preview" else None,
        scenario=claim.scenario,
        round=claim.round,
        unit=claim.unit,
        accelerators=(subject,) if subject is not None else None,
        accelerator_count=claim.accelerators,
    )


def _out_of_scope(catalog: Catalog, benchmark_id: str, elsewhere: Counter[str]) -> tuple[OutOfScope, ...]:
    counts = Counter(catalog.counts())
    counts.update(elsewhere)
    return tuple(
        OutOfScope(benchmark=name, claims=count)
        for name, count in sorted(counts.items())
        if name != benchmark_id
    )


def token_rate(selection: Selection, figure: Decimal | None) -> Decimal | None:
    """`figure` as output tokens/s: a rate of requests times the benchmark's own mean output tokens."""
    if figure is None or selection.unit not in REQUEST_UNITS:
        return figure
    return figure * selection.mean_output_tokens if selection.mean_output_tokens is not None else None
