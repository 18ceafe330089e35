"""The edit model: labels from pairs, training, export."""
