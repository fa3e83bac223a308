import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Post,
  Put,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import type { GroupMembersService, SeenMember } from './group-members.service';
import {
  fullSight,
  type GroupUserResponse,
  type GroupUsersResponse,
  sightOf,
  toGroupUserView,
} from './group-user.view';
import {
  type AddGroupUsersRequest,
  type GroupUserListQuery,
  type GroupUserQuery,
  readJoinRequests,
  readMemberUpdate,
  type UpdateGroupUserRequest,
} from './group-users.request';
import type { MembershipsService } from './memberships.service';

@Route('groups')
@Tags('Group users')
@Response<ErrorBody>(401, 'No valid session, key or token')
@Response<ErrorBody>(403, 'You are not a member, or lack the right to do this')
@Response<ErrorBody>(404, 'The group or the user does not exist, or the group is hidden from you')
export class GroupUsersController extends Controller {
  constructor(
    private readonly members: GroupMembersService,
    private readonly memberships: MembershipsService,
  ) {
    super();
  }

  /**
   * Lists the members of a group with the details that they show: the details that the group required when they joined,
   * and the ones that they chose to show. Members with the right to add users also see users who wait to be accepted,
   * with their usernames. Requires the right to list users.
   * @summary List the members of a group
   */
  @Get('{group_id}/users')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of members')
  @Response<ErrorBody>(400, 'Invalid input')
  async listGroupUsers(
    @Path() group_id: string,
    @Queries() query: GroupUserListQuery,
    @Inject() caller: Caller,
  ): Promise<GroupUsersResponse> {
    const list = await this.members.list(caller.userId, readId(group_id, 'group'), readPage(query));
    const sight = sightOf(list.viewer, query.details);
    return { users: list.items.map((member) => toGroupUserView(member, sight)), total: list.total };
  }

  /**
   * Adds you to a group: at once if it is public or you give its access password; otherwise you wait to be accepted,
   * and members who may accept you see your username. `sensors` are shared into the group, and so are the sensors that
   * it asks for by name. While you wait, all of this is fixed at the time of your request; sensors that are no longer
   * yours are left out. A member with the right to add users accepts waiting users in the same way. Former members get
   * at most the rights that they had, until a member grants them more. Adding yourself again changes nothing, except
   * that `sensors` are shared then, or once you are accepted.
   * @summary Join a group, or accept users
   */
  @Post('{group_id}/users')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The users are in the group, or wait to be accepted')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(429, 'Too many wrong access passwords', {
    error: 'too many refused logins; try again later',
    code: 'rate_limited',
  })
  @Response<ErrorBody>(403, 'You are not a member, or lack the right to do this', {
    error: 'in this group you may add only yourself',
    code: 'forbidden',
  })
  async addGroupUsers(
    @Path() group_id: string,
    @Body() body: AddGroupUsersRequest,
    @Inject() caller: Caller,
  ): Promise<GroupUsersResponse> {
    const members = await this.memberships.add(caller, readId(group_id, 'group'), readJoinRequests(body));
    this.setStatus(201);
    return { users: members.map((member) => toGroupUserView(member, fullSight('full'))) };
  }

  /**
   * Returns a member of a group with the details that they show. Requires the right to list users, except for
   * yourself.
   * @summary Get a member of a group
   */
  @Get('{group_id}/users/{user_id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The member')
  @Response<ErrorBody>(400, 'Invalid input')
  async getGroupUser(
    @Path() group_id: string,
    @Path() user_id: string,
    @Queries() query: GroupUserQuery,
    @Inject() caller: Caller,
  ): Promise<GroupUserResponse> {
    const seen = await this.members.find(caller.userId, readId(group_id, 'group'), readId(user_id, 'user'));
    return toAnswer(seen, query.details);
  }

  /**
   * Changes the rights of a member, which requires the right to add users or to edit the group; or the details that
   * you show to other members. Fields that are not given keep their values. Rights that do not change, as in a whole
   * record that you send back with display settings, require no right.
   * @summary Update a member of a group
   */
  @Put('{group_id}/users/{user_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated member')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(409, 'The user has not been accepted yet', {
    error: 'the user is not accepted yet',
    code: 'conflict',
  })
  async updateGroupUser(
    @Path() group_id: string,
    @Path() user_id: string,
    @Body() body: UpdateGroupUserRequest,
    @Inject() caller: Caller,
  ): Promise<GroupUserResponse> {
    const [groupId, userId] = [readId(group_id, 'group'), readId(user_id, 'user')];
    return toAnswer(await this.members.update(caller.userId, groupId, userId, readMemberUpdate(body)), 'full');
  }

  /**
   * Removes a user from a group, or rejects one who waits to be accepted. Their sensors leave the group, and the
   * group is deleted with its last member. Requires the right to remove users, except for yourself.
   * @summary Remove a member from a group, or leave it
   */
  @Delete('{group_id}/users/{user_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The user is no longer a member')
  async removeGroupUser(
    @Path() group_id: string,
    @Path() user_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    await this.memberships.remove(caller.userId, readId(group_id, 'group'), readId(user_id, 'user'));
    return {};
  }
}

function toAnswer({ viewer, member }: SeenMember, details?: 'full' | 'no'): GroupUserResponse {
  const isOwn = viewer.userId === member.user.id;
  return { user: toGroupUserView(member, isOwn ? fullSight(details) : sightOf(viewer, details)) };
}
