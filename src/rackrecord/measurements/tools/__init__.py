"""One module a load-test tool. `rackrecord.measurements.registry` lists them."""
