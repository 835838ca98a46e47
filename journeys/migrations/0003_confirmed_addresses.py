"""Accounts from before sign-up was confirmed by mail were made by those who may: their addresses count as confirmed."""

from django.conf import settings
from django.db import migrations


def confirm(apps, schema_editor):  # noqa: ARG001  (Django's signature)
    Member = apps.get_model("journeys", "Member")
    EmailAddress = apps.get_model("account", "EmailAddress")
    EmailAddress.objects.bulk_create(
        EmailAddress(user_id=pk, email=email.lower(), verified=True, primary=True)
        for pk, email in Member.objects.filter(emailaddress=None).values_list("pk", "email")
    )


class Migration(migrations.Migration):
    dependencies = [
        ("journeys", "0002_invitation"),
        ("account", "0009_emailaddress_unique_primary_email"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunPython(confirm, migrations.RunPython.noop)]
