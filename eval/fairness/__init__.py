"""Fairness of classifiers from their predictions: groups, pairs of kept and flipped texts, template sets."""
