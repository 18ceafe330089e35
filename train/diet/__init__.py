"""The healthy data diet from a labelled table to fairness over seeds: what a recipe of ``kind: diet`` runs."""
