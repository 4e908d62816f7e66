"""What the published results say about what vendors say, and about software, scale, spread, rounds and
previews.
"""
