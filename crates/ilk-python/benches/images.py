"""Segments of an image against OpenCV and scikit-image, on the same image in one run.

Prints Markdown, and writes an image of each result into ``docs/images``. Needs ``opencv-python-headless``
and ``scikit-image``, which nothing else does; says so where they are absent. ``--quick`` takes a part of
the image.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[3]
IMAGE = ROOT.parent / "shared" / "data" / "pd_images" / "coffee.png"
OUT = ROOT / "docs" / "images"

#: The size of the thesis's photographs.
SIZE = (481, 321)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="take a part of the image")
    options = parser.parse_args()
    missing = [name for name in ("cv2", "skimage") if importlib.util.find_spec(name) is None]
    if missing or not IMAGE.exists():
        reason = f"{' and '.join(missing)} not installed" if missing else "no image in ../shared"
        print(f"Segments of images are not compared: {reason}.\n")
        return 0
    import cv2

    image = cv2.cvtColor(cv2.imread(str(IMAGE)), cv2.COLOR_BGR2RGB)
    image = cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA)
    if options.quick:
        image = image[:80, :120]
    rows = []
    found: list[Any] = []
    for name, run in contestants(image, found):
        start = time.perf_counter()
        shown, segments = run()
        seconds = time.perf_counter() - start
        file = "-".join(re.findall("[a-z0-9]+", name.lower())) + ".png"
        rows.append((name, seconds, segments, file))
        if not options.quick:
            OUT.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(OUT / file), cv2.cvtColor(shown, cv2.COLOR_RGB2BGR))
    height, width = image.shape[:2]
    print(
        f"""## Segments of an image, 2 threads

A colour photograph of {width} x {height} pixels ("coffee", CC0). MSSC: 50 blurring steps with a bandwidth of 0.04
on colours from 0 to 1 and places from 0 to 0.33, cells of so many bandwidths, then KECA into 6 segments; the
whole way from pixels to labels. The others with their defaults, or as written; they find regions that are not
segments in the same sense, so times alone compare.

| what | seconds | regions | image |
|---|---|---|---|"""
    )
    for name, seconds, segments, file in rows:
        print(f"| {name} | {seconds:.2f} | {segments} | ![{name}](images/{file}) |")
    moved = int(np.count_nonzero(found[0] != found[1]))
    print(f"\nWith the two sizes of cells {moved} of {width * height:,} pixels are in different segments.\n")
    return 0


def contestants(
    image: Any, found: list[Any]
) -> list[tuple[str, Callable[[], tuple[Any, int | str]]]]:
    """Return what is measured: a name, and a run that returns an image and a number of regions.

    Runs of ours add their labels to ``found``.
    """
    import cv2
    import ilk
    from skimage.color import label2rgb
    from skimage.segmentation import quickshift, slic

    def ours(**params: Any) -> tuple[Any, int]:
        ours = ilk.segment(image, 6, "mssc", random_state=0, n_jobs=2, **params)
        found.append(ours.labels)
        return (255 * ours.means()).round().astype(np.uint8), ours.n_segments

    def regions(labels: Any) -> tuple[Any, int]:
        return label2rgb(labels, image, kind="avg", bg_label=-1), len(np.unique(labels))

    return [
        ("MSSC, cells of 0.1", lambda: ours(cell=0.1)),
        ("MSSC, cells of 0.0001", lambda: ours(cell=1e-4)),
        ("pyrMeanShiftFiltering(10, 10)", lambda: (cv2.pyrMeanShiftFiltering(image, 10, 10), "")),
        ("pyrMeanShiftFiltering(20, 40)", lambda: (cv2.pyrMeanShiftFiltering(image, 20, 40), "")),
        ("quickshift", lambda: regions(quickshift(image))),
        ("slic, 250", lambda: regions(slic(image, n_segments=250))),
    ]


if __name__ == "__main__":
    sys.exit(main())
