"""`rackrecord schema`: the JSON Schema of a profile."""

from __future__ import annotations

import click


@click.command()
def schema() -> None:
    """Print the JSON Schema of a profile, with which an editor completes and explains its fields.

    With the YAML language server: save it as profile.schema.json beside the profile, whose first line then is
    `# yaml-language-server: $schema=profile.schema.json`.
    """
    from rackrecord.profile.schema import schema_text

    click.echo(schema_text(), nl=False)
