"""Recipes: which kinds there are, what that of a rewriter says, how it becomes stages, and running one."""
