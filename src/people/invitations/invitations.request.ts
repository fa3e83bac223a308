import { toColumns } from '../../edge/renaming';
import { SHOWN_DETAILS } from '../../edge/shown-details';
import { InvalidInput } from '../../platform/errors';
import type { DisplayUserInfoFields } from '../groups/group-users.request';
import type { InvitationInput } from './sent-invitations.service';

/** A new invitation. */
export interface NewInvitation {
  /**
   * The user to invite. Without it the invitation is a link, for everyone who has it.
   * @maxLength 255
   * @example "grace"
   */
  username?: string;
  /**
   * In how many days it ends; 7 if absent.
   * @isInt
   * @minimum 1
   * @maximum 30
   * @example 7
   */
  days?: number;
  /**
   * How many users can accept the link; 1 if absent.
   * @isInt
   * @minimum 1
   * @maximum 100
   * @example 1
   */
  uses?: number;
}

/** Invites a user, or creates a link. */
export interface CreateInvitationRequest {
  invitation: NewInvitation;
}

/** Accepts an invitation. */
export interface AcceptInvitationRequest {
  /** What the members of the group see of you, beyond what the group asks for. */
  display_user_info?: DisplayUserInfoFields;
}

export function readNewInvitation({ username, days = 7, uses = 1 }: NewInvitation): InvitationInput {
  if (username && uses > 1) throw InvalidInput.field('invitation.uses', 'is for links: a user accepts once');
  return { ...(username && { username }), days, uses };
}

export function readDisplay({ display_user_info }: AcceptInvitationRequest) {
  return toColumns(display_user_info ?? {}, SHOWN_DETAILS);
}
