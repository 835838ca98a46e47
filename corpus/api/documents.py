"""What opening a citation needs: the document and, if named, the chunk that is cited."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from corpus.models import Chunk, Document
from corpus.selectors import chunk_after, chunk_published, document_published
from corpus.taxonomy import AUTHORITY_LABELS, CONTENT_TYPE_LABELS, Authority, ContentType


class DocumentQuery(serializers.Serializer[Any]):
    """What a document takes in its address."""

    chunk = serializers.UUIDField(required=False, help_text="The chunk of a source, to read it in full.")


class ChunkOutput(serializers.Serializer[Chunk]):
    """A chunk as members read it; plain text."""

    id = serializers.UUIDField(source="public_id")
    ordinal = serializers.IntegerField()
    heading_path = serializers.ListField(child=serializers.CharField())
    locator = serializers.DictField(child=serializers.CharField(), help_text='Where it stands: {"chapter": "3"}.')
    text = serializers.CharField()
    next = serializers.SerializerMethodField(help_text="Id of the chunk that follows; a source may go on there.")

    def get_next(self, chunk: Chunk) -> UUID | None:
        """The public id of the following chunk."""
        following = chunk_after(chunk)
        return None if following is None else following.public_id


class DocumentOutput(serializers.Serializer[Document]):
    """A published document."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    creator = serializers.CharField()
    authority = serializers.ChoiceField(choices=[each.value for each in Authority])
    authority_label = serializers.SerializerMethodField()
    content_type = serializers.ChoiceField(choices=[each.value for each in ContentType])
    content_type_label = serializers.SerializerMethodField()
    language = serializers.CharField()
    source_url = serializers.CharField(help_text="Empty when the source is not on the web.")
    chunk = serializers.SerializerMethodField(help_text="Null unless asked for by `?chunk=`.")

    def get_authority_label(self, document: Document) -> str:
        """The authority in words for people."""
        return AUTHORITY_LABELS[Authority(document.authority)]

    def get_content_type_label(self, document: Document) -> str:
        """The content type in words for people."""
        return CONTENT_TYPE_LABELS[ContentType(document.content_type)]

    @extend_schema_field(ChunkOutput(allow_null=True))
    def get_chunk(self, document: Document) -> dict[str, Any] | None:  # noqa: ARG002  (DRF's signature)
        """The chunk that was asked for, given in the context."""
        chunk = self.context.get("chunk")
        return None if chunk is None else dict(ChunkOutput(chunk).data)


class DocumentApi(APIView):
    """One published document."""

    @extend_schema(operation_id="document_get", parameters=[DocumentQuery], responses=DocumentOutput)
    def get(self, request: Request, document_id: UUID) -> Response:
        """Read about a document, and with `?chunk=` the chunk itself; 404 when it is not (or no longer) published."""
        query = DocumentQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        document = document_published(document_id=document_id)
        chunk_id = query.validated_data.get("chunk")
        chunk = chunk_published(document=document, chunk_id=chunk_id) if chunk_id else None
        return Response(DocumentOutput(document, context={"chunk": chunk}).data)
