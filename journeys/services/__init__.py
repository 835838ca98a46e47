"""What is written of members, conversations and journeys."""

from journeys.services.accepting import AcceptedTurn, clean_question, turn_accept
from journeys.services.addresses import address_confirm, addresses_make_way
from journeys.services.conversations import (
    conversation_create,
    conversation_delete,
    conversation_rename,
    feedback_give,
)
from journeys.services.demo import members_demo
from journeys.services.editors import editors_group
from journeys.services.inviting import (
    Invited,
    invitation_accept,
    invitation_resend,
    invitation_revoke,
    invitation_send,
    invitations_create,
    invitations_sweep,
)
from journeys.services.members import member_active_set, member_create, profile_ensure, profile_update
from journeys.services.running import (
    FinishedTurn,
    Lease,
    storable_text,
    turn_begin,
    turn_finish,
    turn_last_seq,
    turn_renew,
    turn_request_stop,
    turn_take_over,
    turns_expired,
)
from journeys.services.stage_texts import stages_load
from journeys.services.steps import stage_accept, stage_correct, stage_decline, stage_undo

__all__ = [
    "AcceptedTurn",
    "FinishedTurn",
    "Invited",
    "Lease",
    "address_confirm",
    "addresses_make_way",
    "clean_question",
    "conversation_create",
    "conversation_delete",
    "conversation_rename",
    "editors_group",
    "feedback_give",
    "invitation_accept",
    "invitation_resend",
    "invitation_revoke",
    "invitation_send",
    "invitations_create",
    "invitations_sweep",
    "member_active_set",
    "member_create",
    "members_demo",
    "profile_ensure",
    "profile_update",
    "stage_accept",
    "stage_correct",
    "stage_decline",
    "stage_undo",
    "stages_load",
    "storable_text",
    "turn_accept",
    "turn_begin",
    "turn_finish",
    "turn_last_seq",
    "turn_renew",
    "turn_request_stop",
    "turn_take_over",
    "turns_expired",
]
