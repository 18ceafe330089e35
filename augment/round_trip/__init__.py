"""Parallel data without rules, by biased models (Amrhein et al. 2023, section 4).

Gender-fair text is found by its forms (:mod:`augment.round_trip.find`), translated into a language that does not mark
gender and back (:mod:`augment.round_trip.translate`), which brings the biased form by itself; the biased words are then
put into the original (:mod:`augment.round_trip.merge`). Singulars come from a language model
(:mod:`augment.round_trip.prompting`). What a language adds stands in ``augment/<code>/round_trip.py``.
"""
