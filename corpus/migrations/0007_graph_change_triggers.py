"""Triggers that note in corpus_graphchange what of the graph's record a statement has changed.

One for each table and kind of statement, since only so are all rows of a statement seen at once: a swap that writes
10,000 mentions notes each chunk once.
"""

from django.db import migrations

# For each table: the kind noted, and the column that names what has changed.
WATCHED = {
    "corpus_concept": ("concept", "id"),
    "corpus_alias": ("concept", "concept_id"),
    "corpus_relationship": ("relationship", "id"),
    "corpus_persona": ("persona", "id"),
    "corpus_persona_concepts": ("persona", "persona_id"),
    "corpus_mention": ("chunk", "chunk_id"),
}
ROWS = {"insert": ("after_rows",), "update": ("before_rows", "after_rows"), "delete": ("before_rows",)}
REFERENCING = {
    "insert": "NEW TABLE AS after_rows",
    "update": "OLD TABLE AS before_rows NEW TABLE AS after_rows",
    "delete": "OLD TABLE AS before_rows",
}

FUNCTION = """
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO corpus_graphchange (kind, key) {rows};
    RETURN NULL;
END $$;
"""
TRIGGER = """
CREATE TRIGGER {name} AFTER {event} ON {table} REFERENCING {referencing}
FOR EACH STATEMENT EXECUTE FUNCTION {function}();
"""
# A document's state decides whether its chunks are in the graph; its other fields have nothing to do with it.
DOCUMENT_ROWS = """
SELECT 'document', a.id::text FROM after_rows a JOIN before_rows b USING (id) WHERE a.status IS DISTINCT FROM b.status
"""


def triggers():
    """Each trigger's table and event, its name, and the statement that reads what it notes."""
    for table, (kind, column) in WATCHED.items():
        for event, sources in ROWS.items():
            rows = " UNION ".join(f"SELECT '{kind}', {column}::text FROM {source}" for source in sources)  # noqa: S608
            yield table, event, f"{table}_{event}_noted", rows
    yield "corpus_document", "update", "corpus_document_update_noted", DOCUMENT_ROWS


def create():
    """The statements that make functions and triggers."""
    for table, event, name, rows in triggers():
        yield FUNCTION.format(name=name, rows=rows)
        yield TRIGGER.format(name=name, event=event.upper(), table=table, referencing=REFERENCING[event], function=name)


def drop():
    """The statements that take them away again."""
    for table, _, name, _ in triggers():
        yield f"DROP TRIGGER {name} ON {table}; DROP FUNCTION {name}();"


class Migration(migrations.Migration):
    dependencies = [("corpus", "0006_graph_projection")]

    operations = [migrations.RunSQL(list(create()), list(drop()))]
