"""Data diets: which factual and which counterfactual examples a classifier is trained on (Zayed et al. 2023)."""
