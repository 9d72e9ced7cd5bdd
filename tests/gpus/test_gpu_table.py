"""The rows that `kcost gpus` prints."""

from __future__ import annotations

from pathlib import Path

from estimator.gpus import find_gpu, load_profile
from estimator.gpus.table import LIST_COLUMNS, list_row, list_rows, profile_rows


def test_the_list() -> None:
    rows = {row.id: row.cells for row in list_rows()}
    assert len(rows) == 40
    assert all(len(cells) == len(LIST_COLUMNS) for cells in rows.values())
    l40s = ("l40s", "L40S", "8.9", "142", "91.6", "1.43", "864", "106.0", "96", "48")
    assert rows["l40s"] == l40s
    assert rows["gh200"][6:9] == ("4000?", "16.7?", "60?")


def test_the_rows_of_one_profile() -> None:
    rows = profile_rows(find_gpu("l40s"))
    roofs = {row.label: row.text for row in rows if row.section == "roofs"}
    assert roofs["FP32 peak"] == "91.61 TFLOPS, ridge 106.0 FLOP/B"
    assert roofs["FP16 tensor peak"] == "362.05 TFLOPS, ridge 419.0 FLOP/B"
    assert roofs["INT8 tensor peak"] == "733 TOPS, ridge 848.4 OP/B"
    assert roofs["bandwidth"] == "864 GB/s"
    by_key = {row.key: row for row in rows if row.key}
    assert by_key["boost_clock_mhz"].text == "2520 MHz"
    assert by_key["bf16_lanes_per_sm"].text == "128 results/clock ?"
    assert by_key["l2_mib"].source.startswith("Device attribute: 100663296 bytes")
    assert "Computed: 366.4 TFLOPS" in by_key["tensor_fp16_tflops"].source
    assert by_key["int32_shares_fp32_lanes"].value == "yes"
    assert "aliases" not in by_key


def test_a_minimal_profile(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "Mine"\nfp32_tflops = 60\nbandwidth_gb_s = 1000\n', encoding="utf-8")
    gpu = load_profile(path)
    cells = ("mine", "Mine", "–", "–", "60.0", "–", "1000", "60.0", "–", "–")
    assert list_row(gpu).cells == cells
    assert [row.text for row in profile_rows(gpu)] == [
        "60 TFLOPS, ridge 60.0 FLOP/B",
        "1,000 GB/s",
        "Mine",
        "60 TFLOPS",
        "1000 GB/s",
    ]
