"""Names stored before get the keys they are looked up by, and their mentions are found anew by a worker."""

from django.db import migrations


def names_found_anew(apps, _schema_editor):
    names = []
    for model in ("Concept", "Alias"):
        for row in apps.get_model("corpus", model).objects.all():
            # The field makes the keys of the name when it is saved.
            row.save(update_fields=["name_keys"])
            names.append(row.name)
    if names:
        apps.get_model("corpus", "GraphWork").objects.create(kind="linking", names=sorted(set(names)))


class Migration(migrations.Migration):
    dependencies = [("corpus", "0004_graph_curation")]

    operations = [migrations.RunPython(names_found_anew, migrations.RunPython.noop)]
