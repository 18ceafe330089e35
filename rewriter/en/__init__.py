"""English: segmenter, gate, candidates, guard, inflection."""
