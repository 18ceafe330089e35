"""Experiments behind the results pages: they run from a checkout and are not in the wheel.

They may import all packages; no package imports them. ``gender-fair run`` finds their kinds of recipes as entry points.
"""
