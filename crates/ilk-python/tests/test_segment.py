"""Segments of images."""

import ilk
import numpy as np
import pytest
from ilk import _core
from sklearn.exceptions import ConvergenceWarning

COLOURS = np.array([[200, 30, 30], [30, 160, 40], [20, 40, 220]], dtype=np.uint8)


@pytest.fixture
def stripes():
    return np.repeat(np.repeat(COLOURS[np.newaxis], 12, axis=0), 10, axis=1)


@pytest.fixture
def truth():
    return np.repeat(np.arange(3)[np.newaxis], 12, axis=0).repeat(10, axis=1)


def same(labels, truth):
    return ilk.metrics.adjusted_rand_score(truth.ravel(), labels.ravel()) == 1.0


@pytest.mark.parametrize("colour", ["rgb", "lab", "grey"])
def test_three_flat_colours_come_back_exactly(stripes, truth, colour):
    found = ilk.segment(stripes, 3, "kmeans", colour=colour, coordinate_scale=0.1, random_state=0)
    assert found.n_segments == 3
    assert found.pooled is None
    assert found.labels.shape == truth.shape
    assert found.labels.dtype == np.int32
    assert same(found.labels, truth)
    np.testing.assert_array_equal(found.sizes(), [120, 120, 120])


def test_all_kinds_of_arrays_are_the_same_image(stripes, truth):
    expected = ilk.segment(stripes, 3, "kmeans", random_state=0).labels
    opaque = np.full((*truth.shape, 1), 255, dtype=np.uint8)
    for image in [
        stripes.astype(np.uint16) * 257,
        stripes.astype(np.float64) / 255,
        stripes.astype(np.float32) / 255,
        np.concatenate([stripes, opaque], axis=2),
        np.asfortranarray(stripes),
    ]:
        np.testing.assert_array_equal(
            ilk.segment(image, 3, "kmeans", random_state=0).labels, expected
        )


def test_a_grey_image_stays_grey(truth):
    grey = (truth * 100).astype(np.uint8)
    found = ilk.segment(grey, 3, "kmeans", coordinate_scale=0.1, random_state=0)
    assert same(found.labels, truth)
    np.testing.assert_allclose(found.means(), grey / 255, atol=1e-6)
    assert found.boundaries().shape == (*truth.shape, 3)
    one = ilk.segment(grey[:, :, np.newaxis], 3, "kmeans", coordinate_scale=0.1, random_state=0)
    assert one.means().shape == (*truth.shape, 1)


def test_what_is_transparent_is_white():
    image = np.zeros((4, 6, 4), dtype=np.uint8)
    image[:, 3:, 3] = 255
    found = ilk.segment(image, 2, "kmeans", coordinate_scale=0.0, random_state=0)
    np.testing.assert_array_equal(found.means()[0, :, 0], [1, 1, 1, 0, 0, 0])


def test_images_of_the_result(stripes, truth):
    found = ilk.segment(stripes, 3, "kmeans", coordinate_scale=0.1, random_state=0)
    np.testing.assert_allclose(found.means(), stripes / 255, atol=1e-6)
    drawn = found.boundaries()
    np.testing.assert_array_equal(drawn[0, 9], [1, 1, 0])
    np.testing.assert_allclose(drawn[0, 8], stripes[0, 8] / 255, atol=1e-6)
    assert len(np.unique(found.palette().reshape(-1, 3), axis=0)) == 3
    np.testing.assert_array_equal(np.asarray(found), found.labels)
    assert np.asarray(found, dtype=np.float64).dtype == np.float64
    assert found._repr_png_().startswith(b"\x89PNG")
    assert repr(found) == "Segmentation(30 x 12 pixels, n_segments=3)"


@pytest.mark.parametrize("value", [1, 2])
def test_scribbles_say_what_belongs_together(truth, value):
    image = np.array([0, 120, 255], dtype=np.uint8)[truth]
    scribbles = np.zeros(truth.shape, dtype=int)
    scribbles[3, :10] = 1
    scribbles[3, 10:20] = value
    scribbles[3, 20:] = 7
    if value == 2:
        scribbles[scribbles == 2] = 7
    found = ilk.segment(image, scribbles=scribbles, random_state=0)
    assert found.n_segments == 2
    assert found.n_labelled == 30
    assert same(found.labels, (truth > (0 if value == 2 else 1)).astype(int))


def test_pooling_is_reported_and_does_not_depend_on_threads(stripes, truth):
    big = stripes.repeat(8, axis=0).repeat(8, axis=1)
    found = [
        ilk.segment(
            big, 3, "kmeans", max_pixels=500, random_state=0, coordinate_scale=0.1, n_jobs=n
        )
        for n in (1, 2)
    ]
    pools, side = found[0].pooled
    assert pools <= 500
    assert side == 7  # 35 x 14 blocks
    np.testing.assert_array_equal(found[0].labels, found[1].labels)
    assert same(found[0].labels, truth.repeat(8, axis=0).repeat(8, axis=1))


def test_the_methods_by_default_are_those_that_are_documented():
    for name in _core.segment_methods():
        assert f'``"{name}"``' in ilk.segment.__doc__


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"image": np.zeros((3, 4, 2))}, r"image has the shape \(3, 4, 2\)"),
        ({"image": np.zeros(5)}, r"image has the shape \(5,\)"),
        ({"image": np.zeros((3, 4), dtype=int)}, "image is of type int64"),
        ({"image": np.full((3, 4), 200.0)}, "is out of range: a number from 0 to 1"),
        ({"image": np.full((3, 4, 4), 200.0)}, "out of range: a number from 0 to 1"),
        ({"image": np.zeros((0, 4))}, "the input is empty"),
        (
            {"image": np.zeros((0, 4)), "scribbles": np.zeros((0, 4), dtype=int)},
            "scribbles hold no scribble",
        ),
        ({"n_clusters": 0}, "n_clusters = 0 is out of range"),
        ({"method": "mean-shift"}, "mean-shift finds the number of segments itself"),
        ({"method": "magic"}, "there is no method 'magic'"),
        ({"colour": "red"}, "colour = 'red' is not understood"),
        ({"max_pixels": 0}, "max_pixels = 0 is out of range"),
        ({"coordinate_scale": -1}, "coordinate_scale = -1 is out of range"),
        ({"wings": 2}, 'kmeans has no parameter "wings"'),
        ({"scribbles": np.zeros((3, 3), dtype=int)}, r"scribbles have the shape \(3, 3\)"),
        ({"scribbles": np.zeros((12, 30), dtype=int)}, "scribbles hold no scribble"),
        ({"scribbles": np.full((12, 30), -1)}, "scribbles hold -1"),
        ({"scribbles": np.ones((12, 30))}, "scribbles are of type float64"),
        ({"scribbles": np.eye(12, 30, dtype=int)}, "KMeans cannot use labels constraints"),
    ],
)
def test_what_is_wrong_is_named(stripes, change, message):
    arguments = {"image": stripes, "n_clusters": 3, "method": "kmeans", **change}
    with pytest.raises(ValueError, match=message):
        ilk.segment(**arguments)


def test_the_seed_is_random_state(stripes):
    with pytest.raises(TypeError, match="segment takes random_state, not seed"):
        ilk.segment(stripes, 3, seed=7)


def test_one_scribble_is_not_enough(stripes):
    with pytest.raises(ValueError, match="one scribble separates nothing"):
        ilk.segment(stripes, scribbles=np.eye(12, 30, dtype=int))


def test_fewer_segments_than_asked_for_are_told():
    image = np.zeros((6, 6))
    image[:, 3:] = 1.0
    with pytest.warns(
        ConvergenceWarning, match="kmeans found 2 segments, fewer than n_clusters = 5"
    ):
        found = ilk.segment(image, 5, "kmeans", coordinate_scale=0.0, random_state=0)
    assert found.n_segments == 2


def test_specks_go_to_the_segment_around_them():
    image = np.zeros((40, 60), dtype=np.uint8)
    image[:, 30:] = 200
    image[10, 10] = image[20, 12] = 200
    labels = ilk.segment(image, 2, method="kmeans", min_region=0, random_state=0).labels
    assert labels[10, 10] == labels[0, 59]
    whole = ilk.segment(image, 2, method="kmeans", min_region=5, random_state=0).labels
    assert np.array_equal(whole, np.where(np.arange(60) < 30, whole[0, 0], whole[0, 59]) + 0 * labels)
    with pytest.raises(ValueError, match="min_region = -1 is out of range: a whole number from 0"):
        ilk.segment(image, 2, min_region=-1)


def test_a_segmentation_keeps_its_model_and_what_became_of_scribbles():
    image = np.zeros((20, 30, 3), dtype=np.uint8)
    image[:, 10:20] = [255, 0, 0]
    image[:, 20:] = [0, 0, 255]
    found = ilk.segment(image, 3, method="kmeans", random_state=0)
    assert np.array_equal(found.predict(image), found.labels)
    # The next frame is a little darker.
    assert np.array_equal(found.predict(image - image // 20), found.labels)
    assert found.scribbles == []
    scribbles = np.zeros((20, 30), dtype=int)
    scribbles[5, 2:18] = 4
    scribbles[5, 22:28] = 9
    guided = ilk.segment(image, scribbles=scribbles, random_state=0)
    assert [(each.value, each.n_pixels, each.n_held) for each in guided.scribbles] == [
        (4, 16, 16),
        (9, 6, 6),
    ]
    assert guided.scribbles[0].segment == guided.labels[5, 2]
    assert (guided.n_kept, guided.n_broken) == (22, 0)
