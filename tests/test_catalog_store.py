"""The bundled catalog against the published files, and the store: layers, digests, views, damage."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from decimal import Decimal
from pathlib import Path
from statistics import median

import pytest

from rackrecord.catalog.build import SOURCES, bundled_files
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.layers import layer_files, write_layer
from rackrecord.catalog.manifest import MANIFEST, read_manifest
from rackrecord.catalog.store import BUNDLED, Catalog, bundled_catalog, load_catalog
from rackrecord.errors import UserError

ROUNDS = {"v4.1": 937, "v5.1": 1448, "v6.0": 520, "v6.1": 492}

# SHA-256 of the official files that the bundled catalog was made from
SOURCE_DIGESTS = {
    "v4.1": "8ec7a5b032f7",
    "v5.1": "68c19b46cf5a",
    "v6.0": "52fa813a2783",
    "v6.1": "5dc59267ca48",
}


def shared_folder() -> Path:
    """The folder with the official files, which the project does not carry."""
    given = os.environ.get("RACKRECORD_SHARED")
    folder = Path(given) if given else Path(__file__).resolve().parents[2] / "shared"
    if not (folder / "data" / "mlperf").is_dir():
        pytest.skip("the official summary files are not here (RACKRECORD_SHARED)")
    return folder / "data" / "mlperf"


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    """A copy of the bundled layer."""
    return Path(shutil.copytree(BUNDLED, tmp_path / "layer"))


def per_accelerator(benchmark: str, **facts: object) -> list[Decimal]:
    """Sorted figures per accelerator of closed, available results with these facts, by value and count."""
    wanted = {"division": "closed", "availability": "available", **facts}
    return sorted(
        claim.value / int(str(wanted["accelerator_count"]))
        for claim in bundled_catalog().claims(benchmark)
        if all(getattr(claim, field) == value for field, value in wanted.items())
    )


def test_every_published_result_is_there() -> None:
    catalog = bundled_catalog()
    assert {info.round: info.results for info in catalog.rounds()} == ROUNDS
    assert catalog.total == 3397
    assert sum(catalog.counts().values()) == 3397
    assert len({claim.id for claim in catalog.all_claims()}) == 3397


def test_v61_counts_are_those_of_the_announcement() -> None:
    counts = Counter(
        f"{claim.benchmark}-{claim.accuracy_target}" if claim.accuracy_target else claim.benchmark
        for claim in bundled_catalog().all_claims()
        if (claim.round, claim.division) == ("v6.1", "closed") and "datacenter" in claim.suites
    )
    assert counts == {
        "gpt-oss-120b": 112,
        "llama2-70b-99.9": 87,
        "llama3.1-8b": 76,
        "deepseek-r1": 70,
        "qwen3-vl-235b-a22b": 46,
        "wan-2.2-t2v-a14b": 30,
        "whisper": 23,
        "dlrm-v3": 6,
        "rgat": 5,
        "e2e-rag": 2,
    }
    v61 = [claim for claim in bundled_catalog().all_claims() if claim.round == "v6.1"]
    assert len({claim.submitter for claim in v61}) == 33


def test_the_largest_figure() -> None:
    largest = max(bundled_catalog().claims("gpt-oss-120b"), key=lambda claim: claim.value)
    assert str(largest.value) == "5749440.0"
    assert (largest.accelerator_count, largest.submitter) == (512, "Crusoe")
    assert largest.per_accelerator == 5749440 / Decimal(512) == Decimal("11229.375")


@pytest.mark.parametrize(
    ("accelerator", "count", "least", "middle", "most", "results"),
    [
        ("nvidia-gb300", 72, "15175.14", "15577.78", "16117.92", 4),
        ("nvidia-b300", 8, "12522.88", "13405.81", "14210.62", 14),
        ("amd-mi355x", 8, "13604.50", "13641.69", "14155.12", 8),
    ],
)
def test_gpt_oss_server_v61(
    accelerator: str, count: int, least: str, middle: str, most: str, results: int
) -> None:
    figures = per_accelerator(
        "gpt-oss-120b", round="v6.1", scenario="Server", accelerator=accelerator, accelerator_count=count
    )
    cent = Decimal("0.01")
    assert len(figures) == results
    shown = [str(figure.quantize(cent)) for figure in (figures[0], median(figures), figures[-1])]
    assert shown == [least, middle, most]


def test_deepseek_and_qwen_figures() -> None:
    def middle(benchmark: str, **facts: object) -> Decimal:
        return median(per_accelerator(benchmark, scenario="Interactive", **facts))

    gb300 = {"accelerator": "nvidia-gb300", "accelerator_count": 72, "round": "v6.1"}
    assert round(middle("deepseek-r1", **gb300), 2) == Decimal("3520.92")
    gb200 = {"accelerator": "nvidia-gb200", "accelerator_count": 72, "round": "v6.1"}
    assert round(middle("deepseek-r1", **gb200), 2) == Decimal("3280.79")
    b300 = {"accelerator": "nvidia-b300", "accelerator_count": 8, "round": "v6.0"}
    assert round(middle("deepseek-r1", **b300), 2) == Decimal("616.83")
    assert round(middle("qwen3-vl-235b-a22b", **gb300), 4) == Decimal("4.8513")
    rubin = {"accelerator": "nvidia-vera-rubin", "accelerator_count": 72, "availability": "preview"}
    assert round(middle("qwen3-vl-235b-a22b", **rubin), 4) == Decimal("18.1473")


def test_both_spellings_of_b300_are_one() -> None:
    spellings = Counter(
        claim.accelerator_as_submitted
        for claim in bundled_catalog().all_claims()
        if claim.accelerator == "nvidia-b300"
    )
    assert spellings == {"NVIDIA B300-SXM-270GB": 203, "Nvidia B300-SXM-270GB": 4}


def test_what_the_manifest_says_of_the_sources() -> None:
    sources = read_manifest(BUNDLED).sources
    assert {source.round: source.sha256[:12] for source in sources} == SOURCE_DIGESTS
    assert {str(source.retrieved) for source in sources} == {"2026-11-30"}
    notes = {source.round: source.note for source in sources}
    assert "public fork" in notes["v6.0"]
    assert "transcription" in notes["v6.1"]


def test_every_file_is_what_the_manifest_says() -> None:
    manifest = read_manifest(BUNDLED)
    for partition in manifest.partitions:
        data = (BUNDLED / partition.file).read_bytes()
        assert hashlib.sha256(data).hexdigest() == partition.sha256
    files = {str(path.relative_to(BUNDLED)) for path in BUNDLED.rglob("*") if path.is_file()}
    assert files == {partition.file for partition in manifest.partitions} | {MANIFEST}
    assert sum(partition.rows for partition in manifest.partitions) == 3397


def test_making_the_catalog_again_gives_the_same_bytes() -> None:
    files = bundled_files(shared_folder())
    assert files[MANIFEST] == (BUNDLED / MANIFEST).read_bytes()
    for name, data in files.items():
        assert (BUNDLED / name).read_bytes() == data, name


def test_the_official_files_have_as_many_rows() -> None:
    folder = shared_folder()
    for (name, _, _), rows in zip(SOURCES, ROUNDS.values(), strict=True):
        data = (folder / name).read_text()
        # apart from the importer: a JSON row has one Submitter, a CSV row is one line
        found = data.count('"Submitter":') if name.endswith("json") else data.strip().count("\n")
        assert found == rows, name


def test_claims_are_sorted_by_round_and_id() -> None:
    claims = bundled_catalog().claims("deepseek-r1")
    keys = [(claim.round, claim.id) for claim in claims]
    assert keys == sorted(keys)
    assert {claim.round for claim in claims} == {"v5.1", "v6.0", "v6.1"}


def test_an_unknown_benchmark_has_no_claims() -> None:
    assert bundled_catalog().claims("gpt-5") == ()


def test_only_the_files_of_the_benchmark_are_read(layer: Path) -> None:
    for path in layer.rglob("*.csv"):
        if path.name != "rgat.csv":
            path.unlink()
    catalog = Catalog.open(layer)
    assert len(catalog.claims("rgat")) == 23
    assert catalog.total == 3397
    with pytest.raises(UserError, match="cannot read a part of the catalog: No such file"):
        catalog.claims("whisper")


def test_find() -> None:
    catalog = bundled_catalog()
    for claim in (*catalog.claims("llama3.1-8b-edge"), *catalog.claims("e2e-rag"), *catalog.claims("yolo")):
        assert catalog.find(claim.id) == claim
    assert catalog.find("v6.1/closed/NVIDIA/nothing/rgat/Offline") is None
    assert catalog.find("") is None
    assert catalog.find("v9.9/x") is None


def test_the_digest_is_the_content(layer: Path, tmp_path: Path) -> None:
    assert Catalog.open(layer).digest == bundled_catalog().digest
    split = []
    for info in bundled_catalog().rounds():
        view = bundled_catalog().restricted((info.round,))
        write_layer(layer_files([(info.sources[0], view.all_claims())]), tmp_path / info.round)
        split.append(tmp_path / info.round)
    assert Catalog.open(*reversed(split)).digest == bundled_catalog().digest
    manifest = json.loads((layer / MANIFEST).read_text())
    manifest["sources"][0]["retrieved"] = "2026-12-01"
    (layer / MANIFEST).write_text(json.dumps(manifest))
    assert Catalog.open(layer).digest != bundled_catalog().digest


def test_a_restricted_view_is_the_catalog_of_then(tmp_path: Path) -> None:
    view = bundled_catalog().restricted(("v6.0", "v5.1"))
    assert view.round_names() == ("v5.1", "v6.0")
    assert view.total == 1448 + 520
    assert {claim.round for claim in view.claims("deepseek-r1")} == {"v5.1", "v6.0"}
    assert view.claims("agentic-edge") == ()
    assert "agentic-edge" not in view.counts()
    assert "nvidia-vera-rubin" not in view.accelerators()
    assert "nvidia-vera-rubin" in bundled_catalog().accelerators()
    then = [
        (info.sources[0], bundled_catalog().restricted((info.round,)).all_claims()) for info in view.rounds()
    ]
    write_layer(layer_files(then), tmp_path / "then")
    assert Catalog.open(tmp_path / "then").digest == view.digest
    assert view.digest != bundled_catalog().digest


def test_round_info() -> None:
    infos = {info.round: info for info in bundled_catalog().rounds()}
    assert list(infos) == ["v4.1", "v5.1", "v6.0", "v6.1"]
    v61 = infos["v6.1"]
    assert str(v61.published) == "2026-09-16"
    assert len(v61.benchmarks) == 14
    assert v61.sources[0].source == "mlcommons/inference_results_v6.1 summary.csv"
    assert len({info.digest for info in infos.values()}) == 4


# --- layers over one another


def made(folder: Path, claims: list[Claim], apart: tuple[str, ...] = ()) -> Path:
    """A layer with these claims under the source of v6.1."""
    source = (
        bundled_catalog().rounds()[-1].sources[0].model_copy(update={"sha256": "0" * 64, "source": "other"})
    )
    write_layer(layer_files([(source, claims)], lambda round, benchmark: apart), folder)
    return folder


def test_where_two_layers_have_a_result_the_first_stands(tmp_path: Path) -> None:
    there = [claim for claim in bundled_catalog().claims("rgat") if claim.round == "v6.1"]
    changed = there[0].model_copy(update={"value": Decimal(1)})
    new = there[0].model_copy(update={"id": "v6.1/closed/New/system/rgat/Offline", "value": Decimal(2)})
    catalog = Catalog.open(BUNDLED, made(tmp_path / "user", [changed, new]))
    assert catalog.counts()["rgat"] == 24
    assert catalog.total == 3398
    claims = catalog.claims("rgat")
    assert len(claims) == 24
    assert there[0] in claims
    assert catalog.find(new.id) is not None
    assert [claim.value for claim in claims if claim.id == changed.id] == [there[0].value]
    assert catalog.digest != bundled_catalog().digest
    assert [info.results for info in catalog.rounds()] == [937, 1448, 520, 493]


def test_layers_known_to_be_apart_are_counted_without_reading(tmp_path: Path) -> None:
    there = [claim for claim in bundled_catalog().claims("rgat") if claim.round == "v6.1"]
    new = there[0].model_copy(update={"id": "v6.1/closed/New/system/rgat/Offline"})
    apart = bundled_catalog().partition_digests("v6.1", "rgat")
    layer = made(tmp_path / "user", [new], apart)
    (layer / "v6.1" / "rgat.csv").unlink()
    assert Catalog.open(BUNDLED, layer).total == 3398
    unknown = made(tmp_path / "other", [new])
    (unknown / "v6.1" / "rgat.csv").unlink()
    with pytest.raises(UserError, match="cannot read a part"):
        Catalog.open(BUNDLED, unknown).counts()


def test_load_catalog(tmp_path: Path) -> None:
    assert load_catalog() is bundled_catalog()
    assert load_catalog(tmp_path / "not there") is bundled_catalog()
    assert load_catalog(tmp_path).digest == bundled_catalog().digest
    claim = bundled_catalog().claims("rgat")[-1].model_copy(update={"id": "v6.1/closed/New/s/rgat/Offline"})
    made(tmp_path / "one", [claim])
    (tmp_path / ".import-unfinished").mkdir()
    assert load_catalog(tmp_path).total == 3398
    (tmp_path / "stray.txt").write_text("")
    with pytest.raises(UserError, match="not a catalog layer"):
        load_catalog(tmp_path)


def test_a_catalog_folder_that_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    with pytest.raises(UserError, match="cannot read the catalog folder"):
        load_catalog(path)


# --- damage


def test_a_changed_digit_is_found(layer: Path) -> None:
    path = layer / "v6.1" / "rgat.csv"
    data = path.read_bytes()
    path.write_bytes(data.replace(b"1", b"2", 1))
    catalog = Catalog.open(layer)
    with pytest.raises(UserError, match=r"rgat\.csv: changed or damaged: its SHA-256 is"):
        catalog.claims("rgat")


def test_a_truncated_file_is_found(layer: Path) -> None:
    path = layer / "v6.0" / "rgat.csv"
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(UserError, match="changed or damaged"):
        Catalog.open(layer).claims("rgat")


@pytest.mark.parametrize("cell", [b"NaN", b"x", b""])
def test_a_wrong_table_under_a_right_digest(layer: Path, cell: bytes) -> None:
    path = layer / "v6.1" / "e2e-rag.csv"
    value = str(bundled_catalog().claims("e2e-rag")[0].value).encode()
    data = path.read_bytes().replace(b"," + value + b",", b"," + cell + b",")
    path.write_bytes(data)
    manifest = json.loads((layer / MANIFEST).read_text())
    for partition in manifest["partitions"]:
        if partition["file"] == "v6.1/e2e-rag.csv":
            partition["sha256"] = hashlib.sha256(data).hexdigest()
    (layer / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(UserError, match="not a table of results"):
        Catalog.open(layer).claims("e2e-rag")


def edit(layer: Path, **changes: object) -> None:
    manifest = json.loads((layer / MANIFEST).read_text())
    manifest["partitions"][0].update(changes)
    (layer / MANIFEST).write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"file": "../../secret.csv"}, "leaves the layer's folder"),
        ({"file": "/etc/passwd"}, "leaves the layer's folder"),
        ({"source": 9}, "names source 9, there is none"),
        ({"source": -1}, "names source -1, there is none"),
        ({"rows": "many"}, r"damaged manifest: Expected `int`, got `str` - at `\$\.partitions\[0\]\.rows`"),
        ({"extra": 1}, r"damaged manifest: .* unknown field `extra` - at `\$\.partitions\[0\]`"),
        ({"round": "6.1"}, "damaged manifest: '6.1' is no round"),
    ],
)
def test_a_damaged_manifest(layer: Path, changes: dict[str, object], message: str) -> None:
    edit(layer, **changes)
    with pytest.raises(UserError, match=message):
        Catalog.open(layer)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"rackrecord_catalog": 1}'])
def test_a_manifest_that_is_none(layer: Path, data: bytes) -> None:
    (layer / MANIFEST).write_bytes(data)
    with pytest.raises(UserError, match="damaged manifest"):
        Catalog.open(layer)


def test_a_layer_of_a_later_version(layer: Path) -> None:
    manifest = json.loads((layer / MANIFEST).read_text())
    manifest["rackrecord_catalog"] = 2
    (layer / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(UserError, match="found catalog schema 2, expected 1"):
        Catalog.open(layer)


def test_a_folder_without_manifest(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a catalog layer: No such file or directory"):
        Catalog.open(tmp_path)


def test_a_benchmark_with_any_name_gets_a_file(tmp_path: Path) -> None:
    claim = bundled_catalog().claims("rgat")[-1]
    names = ["../../up", "a/b", "con", "x" * 300, ".hidden", "ünïcode", "a b", "A", "a"]
    claims = [
        claim.model_copy(update={"benchmark": name, "id": f"v6.1/closed/x/y/{name}/Offline"})
        for name in names
    ]
    catalog = Catalog.open(made(tmp_path / "layer", claims))
    assert sorted(catalog.counts()) == sorted(names)
    for name in names:
        assert [found.benchmark for found in catalog.claims(name)] == [name]
    paths = [path for path in (tmp_path / "layer").rglob("*") if path.is_file()]
    assert len(paths) == len(names) + 1
    assert len({str(path).casefold() for path in paths}) == len(paths)
