"""The register: numbered folders of records."""
