"""What only reads runs: frames and Markdown for `compress.py`, pages for `replay.py`. No model takes part."""
