import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpus", "0005_posting_length")]

    operations = [
        # A composite key cannot be altered; postings are written anew with their chunks.
        migrations.DeleteModel(name="Posting"),
        migrations.CreateModel(
            name="Posting",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "chunk", "lexeme", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("lexeme", models.TextField()),
                ("scope", models.SmallIntegerField(null=True)),
                ("tf", models.FloatField()),
                ("length", models.PositiveSmallIntegerField(default=0)),
                (
                    "chunk",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="postings",
                        to="corpus.chunk",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["lexeme", "scope"], include=("chunk", "tf", "length"), name="posting_lookup"
                    )
                ],
            },
        ),
    ]
