"""Runs in notebooks: plots in Vega-Lite, and the page as a widget."""
