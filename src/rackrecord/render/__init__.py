"""A record in, text or bytes out: no clock, no arithmetic, no file written."""
