"""How well a number ranks commits: AUC with ties, and recall within a share of the changed lines."""


def auc(labels, values):
    order = sorted(range(len(values)), key=values.__getitem__)
    positives = sum(labels)
    negatives = len(labels) - positives
    if not positives or not negatives:
        return float("nan")
    ranks, at = 0.0, 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        middle = (at + end + 1) / 2
        ranks += middle * sum(labels[order[k]] for k in range(at, end))
        at = end
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives)


def recall_within(labels, priority, cost, share=0.2):
    """The share of the positives met when commits are read by falling priority until `share` of all cost is spent."""
    budget = share * sum(cost)
    met = spent = 0.0
    for at in sorted(range(len(labels)), key=lambda at: -priority[at]):
        spent += cost[at]
        if spent > budget:
            break
        met += labels[at]
    return met / max(1, sum(labels))
