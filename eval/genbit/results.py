"""Figures as mappings with the keys of the original's results; every value can be written as JSON."""

from __future__ import annotations

from typing import Any

from eval.genbit.lexicon import CIS, FEMALE, GROUPS, MALE, NON_BINARY, TRANS
from eval.genbit.metrics import GenBitResult, deviation, mean, trans_total

_F, _M, _N, _T, _C = (GROUPS.index(group) for group in (FEMALE, MALE, NON_BINARY, TRANS, CIS))


def metrics_dict(result: GenBitResult, *, statistics: bool = True, words: bool = True) -> dict[str, Any]:
    """Return what the original's ``get_metrics`` returns.

    Args:
        result: the figures.
        statistics: add ``statistics``.
        words: add ``token_based_metrics``.
    """
    metrics: dict[str, Any] = {"genbit_score": result.score, **_fractions(result)}
    metrics["additional_metrics"] = _wanted(result, _additional(result))
    if statistics:
        metrics["statistics"] = _wanted(result, _statistics(result))
    if words:
        metrics["token_based_metrics"] = word_dict(result)
    return metrics


def _fractions(result: GenBitResult) -> dict[str, float]:
    """Return the share of each group among the gendered words that were seen."""
    female, male, other, _, cis = map(int, result.matrix.totals)
    trans = trans_total(result.matrix)
    # The original adds non-binary words to the trans words and then once more to the fraction.
    trans_part = trans + other if result.settings.compat == "code" else trans
    gendered, identities = max(1, female + male + other), max(1, trans_part + cis)
    shares = {
        FEMALE: female / gendered,
        MALE: male / gendered,
        "non_binary": other / gendered,
        TRANS: trans_part / identities,
        CIS: cis / identities,
    }
    return {f"percentage_of_{group}_gender_definition_words": share for group, share in shares.items()}


def _additional(result: GenBitResult) -> dict[str, float]:
    rows = result.rows
    columns = {
        "bias_ratio": rows.ratio,
        "bias_conditional": rows.conditional_ratio,
        "non_binary_bias_ratio": rows.non_binary_ratio,
        "non_binary_bias_conditional": rows.non_binary_conditional,
        "trans_cis_bias_ratio": rows.trans_cis_ratio,
        "trans_cis_bias_conditional": rows.trans_cis_conditional,
    }
    averages = {f"avg_{name}": mean(values) for name, values in columns.items()}
    averages |= {f"avg_{name}_absolute": mean(abs(values)) for name, values in columns.items()}
    return averages | {f"std_dev_{name}": deviation(values) for name, values in columns.items()}


def _statistics(result: GenBitResult) -> dict[str, float | int]:
    return {
        "frequency_cutoff": result.cutoff,
        "num_words_considered": len(result.rows.index),
        "freq_of_female_gender_definition_words": int(result.matrix.totals[_F]),
        "freq_of_male_gender_definition_words": int(result.matrix.totals[_M]),
        "freq_of_non_binary_gender_definition_words": int(result.matrix.totals[_N]),
        "jsd": result.jsd,
    }


def word_dict(result: GenBitResult) -> dict[str, dict[str, float | int]]:
    """Return the figures of every scored word."""
    matrix, rows = result.matrix, result.rows
    words = {}
    for place, index in enumerate(rows.index.tolist()):
        female, male, other = rows.conditional[place].tolist()
        row = {
            "frequency": int(matrix.frequency[index]),
            "female_count": float(rows.counts[place, _F]),
            "male_count": float(rows.counts[place, _M]),
            "non_binary_count": float(rows.counts[place, _N]),
            "bias_ratio": float(rows.ratio[place]),
            "bias_conditional_ratio": float(rows.conditional_ratio[place]),
            "non_binary_bias_ratio": float(rows.non_binary_ratio[place]),
            "non_binary_bias_conditional_ratio": float(rows.non_binary_conditional[place]),
            "female_conditional_prob": female,
            "male_conditional_prob": male,
            "binary_conditional_prob": female + male,
            "non_binary_conditional_prob": other,
        }
        words[matrix.words[index]] = _wanted(result, row)
    return words


def _wanted(result: GenBitResult, figures: dict[str, Any]) -> dict[str, Any]:
    """Leave out what belongs to the non-binary group where it has no words, as the original does."""
    return {k: v for k, v in figures.items() if result.lexicon.non_binary or "non_binary" not in k}
