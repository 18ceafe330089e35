"""People who judge: questionnaires about versions of texts, their answers, and what they say.

After the human evaluation of Amrhein, Schottmann, Sennrich & Läubli (2023), "Exploiting Biased Models to De-bias Text:
A Gender-Fair Rewriting Model", section 4.4.
"""
