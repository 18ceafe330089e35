"""A language server: what would change, underlined in editors, with quick fixes (extra ``lsp``)."""
