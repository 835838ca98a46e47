"""The index of scopes in each space's table: as an expression, which only the exact scan asks for."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def replace_indexes(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give the tables that are there the index that new ones get."""
    for space in apps.get_model("corpus", "EmbeddingSpace").objects.order_by("pk"):
        table = f"corpus_space_{space.pk}"
        schema_editor.execute(f"DROP INDEX IF EXISTS {table}_scope_idx")
        schema_editor.execute(f"CREATE INDEX ON {table} ((scope + 0)) INCLUDE (scope)")


class Migration(migrations.Migration):
    dependencies = [("corpus", "0007_graph_change_triggers")]

    operations = [migrations.RunPython(replace_indexes, migrations.RunPython.noop)]
