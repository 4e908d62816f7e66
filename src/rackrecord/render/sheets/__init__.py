"""The sheets of `record.xlsx`: formulas from the inputs to the ranking, the record's figures as values."""
