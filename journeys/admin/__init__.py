"""Members, invitations, stages and profiles in the admin.

Conversations and turns are not here: what a member wrote is read by editors only in the views that ask for consent.
"""

from journeys.admin.invitations import InvitationAdmin
from journeys.admin.members import MemberAdmin
from journeys.admin.stages import ProfileAdmin, StageAdmin

__all__ = ["InvitationAdmin", "MemberAdmin", "ProfileAdmin", "StageAdmin"]
