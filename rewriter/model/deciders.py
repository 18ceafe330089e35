"""Who decides what the grammar leaves open: names that load nothing."""

#: the model, constant answers in its place (:mod:`rewriter.model.constant`), or nobody (:mod:`rewriter.model.grammar`)
NETWORK, CONSTANT, GRAMMAR = "network", "constant", "grammar"
DECIDERS = (NETWORK, CONSTANT, GRAMMAR)
