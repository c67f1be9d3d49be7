import argparse

from sklearn.metrics import normalized_mutual_info_score

from algorithms import ALGORITHMS
from common import append, points, settings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--algorithm", choices=list(ALGORITHMS), required=True)
    parser.add_argument("--data", choices=["blobs", "digits"], default="digits")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    data, labels = points(args.data, args.seed)
    model = ALGORITHMS[args.algorithm](clusters=10, seed=args.seed, **settings("cluster"))

    def watch(iteration, inertia):
        append("out/inertia.csv", {**vars(args), "iteration": iteration, "inertia": inertia})

    nmi = normalized_mutual_info_score(labels, model.fit_predict(data, watch))
    append("out/clusters.csv", {**vars(args), "nmi": nmi})


if __name__ == "__main__":
    main()
