"""What proposes edits and what holds it to the grammar: model directories, proposers, the guard."""
