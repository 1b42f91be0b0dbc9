"""Clustering that listens to people.

``ilk`` clusters data with the help of the little that a person knows about it: these two belong
together, these two do not, of these three that one is the odd one out, or a few labels. Estimators
follow scikit-learn; the work is done in Rust, on all cores, with the interpreter lock released.

Examples
--------
>>> import ilk
>>> X = [[0.0, 0.0], [0.1, 0.0], [3.0, 3.0], [3.1, 3.0]]
>>> ilk.MeanShift(bandwidth=1.0).fit(X, must_link=[[0, 1]]).n_clusters_
2

Where what belongs together is not what is near, a kernel can be learned from a few answers. Here two
circles share a centre, and a few labels tell them apart:

>>> X, truth = ilk.datasets.make_two_circles(random_state=0)
>>> constraints = ilk.make_constraints(truth, per_class=10, random_state=0)
>>> model = ilk.SKMS(random_state=0).fit(X, constraints=constraints)
>>> ilk.metrics.adjusted_rand_score(truth, model.labels_) > 0.9
True
"""

from . import datasets, metrics, model_selection
from ._ask import Session, ask
from ._auto import Auto, ClusterCount, Member
from ._cms import CMS
from ._constraint_view import Conflict
from ._constraints import Constraints
from ._core import __version__
from ._e2cp import E2CP
from ._embedding import KECA, KernelPCA
from ._explanation import Explanation
from ._gaussian_mixture import GaussianMixture
from ._hmrf_kmeans import HMRFKMeans
from ._kernel_kmeans import KernelKMeans
from ._kmeans import KMeans
from ._ksc import KSC
from ._laplacian_eigenmaps import LaplacianEigenmaps
from ._learned import Chosen, LearnedKernel
from ._load import load
from ._logdet_kernel import LogDetKernel
from ._make_constraints import make_constraints
from ._mean_shift import MeanShift
from ._mssc import MSSC
from ._neighbors_graph import neighbors_graph
from ._progress import Progress
from ._question import Agreement, Disagreement, Question
from ._report import ConstraintReport, KindReport
from ._segment import Segmentation, segment
from ._skkm import SKkm
from ._sklr import SKLR
from ._skms import SKMS
from ._spectral_clustering import SpectralClustering
from ._spectral_learning import SpectralLearning
from ._ss_kernel_kmeans import SSKernelKMeans
from ._warnings import ConstraintWarning, LongFitWarning

__all__ = [
    "CMS",
    "E2CP",
    "KECA",
    "KSC",
    "MSSC",
    "SKLR",
    "SKMS",
    "Agreement",
    "Auto",
    "Chosen",
    "ClusterCount",
    "Conflict",
    "ConstraintReport",
    "ConstraintWarning",
    "Constraints",
    "Disagreement",
    "Explanation",
    "GaussianMixture",
    "HMRFKMeans",
    "KMeans",
    "KernelKMeans",
    "KernelPCA",
    "KindReport",
    "LaplacianEigenmaps",
    "LearnedKernel",
    "LogDetKernel",
    "LongFitWarning",
    "MeanShift",
    "Member",
    "Progress",
    "Question",
    "SKkm",
    "SSKernelKMeans",
    "Segmentation",
    "Session",
    "SpectralClustering",
    "SpectralLearning",
    "__version__",
    "ask",
    "datasets",
    "load",
    "make_constraints",
    "metrics",
    "model_selection",
    "neighbors_graph",
    "segment",
]
