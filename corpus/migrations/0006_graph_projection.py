from django.db import migrations, models

import corpus.models.projection


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0005_names_found_anew"),
    ]

    operations = [
        migrations.CreateModel(
            name="GraphChange",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("concept", "Concept"),
                            ("relationship", "Relationship"),
                            ("persona", "Persona"),
                            ("chunk", "Chunk"),
                            ("document", "Document"),
                        ],
                        max_length=12,
                    ),
                ),
                ("key", models.CharField(help_text="The id of the row, as text.", max_length=36)),
            ],
        ),
        migrations.CreateModel(
            name="GraphGeneration",
            fields=[
                (
                    "number",
                    models.BigIntegerField(
                        default=corpus.models.projection.generation_number, primary_key=True, serialize=False
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("building", "Building"), ("current", "Current"), ("retired", "Retired")],
                        default="building",
                        max_length=10,
                    ),
                ),
                ("begun_at", models.DateTimeField(auto_now_add=True)),
                (
                    "settled_at",
                    models.DateTimeField(blank=True, help_text="When it became current or was retired.", null=True),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "current")),
                        fields=("state",),
                        name="graph_generation_current_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GraphStanding",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("version", models.BigIntegerField(default=0)),
                ("pinged_at", models.DateTimeField(blank=True, null=True)),
                ("ping_milliseconds", models.FloatField(blank=True, null=True)),
                ("ping_error", models.CharField(blank=True, max_length=200)),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                ("check_report", models.JSONField(blank=True, default=dict)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="graph_standing_single")],
            },
        ),
        # A version is never given twice, also when the transaction that took it comes to nothing.
        migrations.RunSQL("CREATE SEQUENCE corpus_graph_version", "DROP SEQUENCE corpus_graph_version"),
    ]
