"""Persons of a German sentence turned to the other gender: clauses, cases, what pronouns mean. No model is asked."""
