"""Selection: which published results are evidence for the workload, and why the others are not."""
