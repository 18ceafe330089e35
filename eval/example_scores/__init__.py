"""How important an example is to performance (EL2N, GraNd, forget score) and to fairness (GE, stereotype sign)."""
