"""The interpreter lock, threads, processes, Ctrl-C and progress."""

import io
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import warnings

import numpy as np
import pytest
from ilk import (
    CMS,
    KMeans,
    LongFitWarning,
    MeanShift,
    Progress,
    SSKernelKMeans,
    _core,
    neighbors_graph,
)
from ilk._progress import Bar

LONG = 10**7


def test_two_fits_in_two_threads_are_both_right(blobs):
    X, _ = blobs
    parts = [X, X[::-1].copy()]
    alone = [MeanShift(bandwidth=1.0, random_state=0).fit(part) for part in parts]
    together = [None, None]
    start = threading.Barrier(2)

    def work(i):
        start.wait()
        together[i] = MeanShift(bandwidth=1.0, random_state=0).fit(parts[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for a, b in zip(alone, together, strict=False):
        assert np.array_equal(a.labels_, b.labels_)
        assert a.cluster_centers_.tobytes() == b.cluster_centers_.tobytes()


def test_a_fit_that_will_take_long_is_warned_of_before_it_starts(monkeypatch):
    X = np.random.default_rng(0).standard_normal((1_000_000, 2))
    monkeypatch.setattr(_core, "fit", lambda *_: pytest.fail("the fit started"))
    # Hours on any machine: 300 steps of all points.
    model = MeanShift(bandwidth=0.3, fixed_iter=300, max_iter=300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(LongFitWarning) as raised:
            model.fit(X)
    assert re.fullmatch(
        r"MeanShift will take (about|at least) .* for 1,000,000 rows: from 1,000 to 4,000 of them its time grew with "
        r"the power [12]\.\d; take Auto, which groups a sample within its budget and places all rows, or fit a part "
        "of the rows and predict the others",
        str(raised.value),
    )


def test_the_warning_of_a_long_fit_names_the_line_that_called_it(blobs, monkeypatch):
    monkeypatch.setattr(_core, "long_fit", lambda *_: "it will take long")
    with pytest.warns(LongFitWarning, match="it will take long") as warned:
        MeanShift(bandwidth=1.0).fit(blobs[0])
    assert warned[0].filename == __file__


def test_a_short_fit_of_many_rows_is_not_warned_of():
    X = np.random.default_rng(0).standard_normal((20_000, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error", LongFitWarning)
        KMeans(3, n_init=1).fit(X)


def run(script, **options):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


PRELUDE = f"""
import os, signal, sys, threading, time
import numpy as np
from ilk import CMS, MeanShift, neighbors_graph
X = np.random.default_rng(0).standard_normal((8000, 3))
never_ending = MeanShift(bandwidth=0.3, fixed_iter={LONG}, max_iter={LONG})
pairs = np.arange(1000).reshape(-1, 2)
never_ending_cms = CMS(bandwidth=0.3, early_stop=False, max_iter={LONG // 10}, mode="paper")
"""


def test_python_runs_while_two_fits_run():
    # Both fits run until the main thread, which they must not stop, interrupts the process.
    script = (
        PRELUDE
        + """
def work(started, model):
    started.set()
    model.fit(X)
    os._exit(1)  # it ended by itself

started = [threading.Event(), threading.Event()]
for event, model in zip(started, (never_ending, never_ending_cms)):
    threading.Thread(target=work, args=(event, model), daemon=True).start()
for event in started:
    event.wait()
steps = sum(1 for _ in range(2_000_000))
print(steps, flush=True)
os._exit(0)
"""
    )
    process = run(script)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert out.strip() == "2000000"


LONG_RUNS = {
    "climbing": "never_ending.fit(X)",
    "blurring": "never_ending.set_params(blurring=True).fit(X)",
    "predict": "patient.predict(np.tile(X, (50, 1)))",
    "constrained": "never_ending_cms.fit(X, cannot_link=pairs)",
    "neighbors": "neighbors_graph(np.random.default_rng(1).standard_normal((200_000, 20)))",
    "predict constrained": "patient_cms.predict(np.tile(X, (20, 1)))",
}


@pytest.mark.parametrize("long_run", LONG_RUNS.values(), ids=LONG_RUNS.keys())
def test_ctrl_c_cancels(long_run):
    script = f"""{PRELUDE}
patient = MeanShift(bandwidth=0.3, fixed_iter=10_000).fit(X[:50])
patient_cms = CMS(bandwidth=0.3, early_stop=False, max_iter=10_000, mode="paper").fit(X[:50])

def threads():
    return len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 0

before = threads()
print("ready", flush=True)
try:
    {long_run}
except KeyboardInterrupt:
    print("interrupted", flush=True)
while threads() > before:  # the engine must stop too, not only be left behind
    time.sleep(0.01)
print("alive", MeanShift(bandwidth=1.0).fit(X[:50]).n_clusters_ >= 1, flush=True)
"""
    process = run(script)
    assert process.stdout.readline().strip() == "ready"
    # Into the middle of the run: until then the signal may come before it, which proves less.
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=1.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out.split() == ["interrupted", "alive", "True"], err
    assert process.returncode == 0


def test_auto_that_is_interrupted_keeps_the_best():
    script = """
import warnings, numpy as np
from ilk import Auto
X = np.random.default_rng(0).standard_normal((2000, 20))
is_ready = False
def tell(progress):
    global is_ready
    if progress.stage == "trying recipes" and not is_ready:
        is_ready = True
        print("ready", flush=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    model = Auto(budget=600.0, verbose=tell).fit(X)
print(len(model.labels_), any("was cancelled" in str(w.message) for w in caught))
"""
    process = run(script)
    assert process.stdout.readline().strip() == "ready"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert out.split() == ["2000", "True"], err
    assert process.returncode == 0


def test_the_exception_of_a_signal_handler_is_what_the_caller_sees():
    script = (
        PRELUDE
        + """
class Alarm(Exception): pass
def ring(*_): raise Alarm("time is up")
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    never_ending.fit(X)
except Alarm as alarm:
    print(alarm)
"""
    )
    process = run(script)
    out, err = process.communicate(timeout=60)
    assert out.strip() == "time is up", err


def test_a_signal_handler_that_returns_does_not_stop_a_fit(blobs):
    script = (
        PRELUDE
        + """
rung = []
signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
model = MeanShift(bandwidth=0.3, fixed_iter=100).fit(X[:500])
print(model.n_iter_, len(rung) > 0)
"""
    )
    process = run(script)
    out, err = process.communicate(timeout=120)
    assert out.split() == ["100", "True"], err


@pytest.mark.skipif(sys.platform != "linux", reason="fork is the default on Linux only")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_can_fit(blobs):
    X, _ = blobs
    model = MeanShift(bandwidth=1.0, random_state=0).fit(X)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        labels = pool.apply_async(MeanShift(bandwidth=1.0, random_state=0).fit_predict, (X,))
        assert np.array_equal(labels.get(timeout=60), model.labels_)


@pytest.mark.parametrize("n_jobs", [1, 2, 7, -1, -2, -100, None])
def test_any_number_of_threads_will_do(n_jobs, blobs):
    X, _ = blobs
    model = MeanShift(bandwidth=1.0, random_state=0, n_jobs=n_jobs).fit(X)
    assert np.array_equal(model.predict(X), model.labels_)


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
@pytest.mark.parametrize("asked", ["n_jobs", "RAYON_NUM_THREADS"])
def test_a_million_threads_are_not_started(asked):
    script = """
import os, sys, threading
import numpy as np
from ilk import MeanShift
most = 0
def count():
    global most
    while not done.is_set():
        most = max(most, len(os.listdir("/proc/self/task")))
done = threading.Event()
counter = threading.Thread(target=count)
counter.start()
X = np.random.default_rng(0).standard_normal((300, 2))
MeanShift(bandwidth=0.5, n_jobs=eval(sys.argv[1])).fit(X)
done.set()
counter.join()
print(most <= 10 + max(64, 4 * os.cpu_count()))
"""
    jobs, threads = ("10**6", "1") if asked == "n_jobs" else ("None", "1000000")
    process = subprocess.run(
        [sys.executable, "-c", script, jobs],
        env={**os.environ, "RAYON_NUM_THREADS": threads, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert process.stdout.strip() == "True", process.stderr


@pytest.mark.parametrize("n_jobs", [0, 1.5, "all"])
def test_a_number_of_threads_without_meaning_is_refused(n_jobs, blobs):
    with pytest.raises(ValueError, match="n_jobs = "):
        MeanShift(bandwidth=1.0, n_jobs=n_jobs).fit(blobs[0])


def test_a_function_receives_the_progress_of_a_fit(blobs):
    X, _ = blobs
    received = []
    model = CMS(verbose=received.append).fit(X, cannot_link=[[0, 60]])
    assert received
    for progress in received:
        assert isinstance(progress, Progress)
        assert progress.stage
        assert 0 <= progress.finished <= progress.total
    seconds = [progress.seconds for progress in received]
    assert seconds == sorted(seconds)
    assert np.array_equal(model.labels_, CMS().fit(X, cannot_link=[[0, 60]]).labels_)


def test_fits_to_graphs_report_progress_too(blobs):
    received = []
    graph = neighbors_graph(blobs[0])
    SSKernelKMeans(3, input="graph", verbose=received.append, random_state=0).fit(graph)
    assert received


def test_what_the_function_raises_ends_the_fit(blobs):
    class EnoughError(Exception):
        pass

    def stop(progress):
        calls.append(progress)
        if len(calls) == 3:
            raise EnoughError("three")

    calls = []
    never_ending = MeanShift(bandwidth=0.3, fixed_iter=LONG, max_iter=LONG, verbose=stop)
    with pytest.raises(EnoughError, match="three"):
        never_ending.fit(np.random.default_rng(0).standard_normal((8000, 3)))
    assert len(calls) == 3


def test_verbose_writes_one_line_to_stderr_and_silence_none(blobs, capsys):
    MeanShift(bandwidth=1.0, verbose=1).fit(blobs[0])
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("\rMeanShift, ")
    assert shown.err.endswith(" s\n")
    assert shown.err.count("\n") == 1
    MeanShift(bandwidth=1.0).fit(blobs[0])
    assert capsys.readouterr().err == ""


def test_the_line_tells_stage_share_and_time_left():
    stream = io.StringIO()
    bar = Bar("CMS", stream)
    bar.show(Progress("mean shift", 1, 0, 200, 1.0))
    bar.show(Progress("mean shift", 2, 50, 200, 1.05))  # too early
    bar.show(Progress("mean shift", 3, 50, 200, 3.0))
    bar.show(Progress("labels", 1, 7, 7, 3.01))
    bar.close()
    assert stream.getvalue().split("\r") == [
        "",
        "CMS, mean shift:   0% |--------------------| 1.0 s",
        "CMS, mean shift:  25% |#####---------------| 3.0 s, stage ends in about 6 s",
        f"{'CMS, labels: 100% |####################| 3.0 s':<75}\n",
    ]


@pytest.mark.parametrize("verbose", ["yes", None, 0.5])
def test_another_verbose_is_refused(verbose, blobs):
    with pytest.raises(ValueError) as refused:
        MeanShift(bandwidth=1.0, verbose=verbose).fit(blobs[0])
    assert str(refused.value) == f"verbose = {verbose!r} is not understood: give 0, 1 or a function"
