import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  OperationId,
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
import type { Caller } from '../caller';
import {
  type AddGroupUsersRequest,
  type GroupUserListQuery,
  type GroupUserQuery,
  readJoinRequests,
  readMemberChanges,
  type UpdateGroupUserRequest,
} from '../requests/group-users.request';
import { readId } from '../requests/id';
import { readPage } from '../requests/paging';
import type { GroupMembersService, SeenMember } from '../services/groups/group-members.service';
import type { MembershipsService } from '../services/groups/memberships.service';
import type { EmptyView } from '../views/empty.view';
import type { ErrorBody } from '../views/error.view';
import {
  fullSight,
  type GroupUserResponse,
  type GroupUsersResponse,
  sightOf,
  toGroupUserView,
} from '../views/group-user.view';

@Route('groups')
@Tags('Group users')
@Security('session')
@Response<ErrorBody>(401, 'No valid session')
@Response<ErrorBody>(403, 'You are no member, or lack the right to do this')
@Response<ErrorBody>(404, 'There is no such group or user, or it is hidden from you')
export class GroupUsersController extends Controller {
  constructor(
    private readonly members: GroupMembersService,
    private readonly memberships: MembershipsService,
  ) {
    super();
  }

  /**
   * The members of a group, with what they show of themselves. With the right to add users, those who wait to be
   * accepted too. Needs the right to list users.
   * @summary List members
   */
  @Get('{group_id}/users')
  @OperationId('listGroupUsers')
  @SuccessResponse(200, 'A page of members')
  @Response<ErrorBody>(400, 'Invalid input')
  async listGroupUsers(
    @Path() group_id: string,
    @Queries() query: GroupUserListQuery,
    @Inject() caller: Caller,
  ): Promise<GroupUsersResponse> {
    const list = await this.members.list(caller.userId, readId(group_id, 'group'), readPage(query));
    const sight = sightOf(list.viewer, query.details);
    return { users: list.items.map((member) => toGroupUserView(list.group, member, sight)), total: list.total };
  }

  /**
   * Adds yourself to a group: at once to a public one, or with the access password; else you wait to be accepted.
   * `sensors` are shared into the group, and so are those that it asks for by name. A member with the right to add
   * users accepts those who wait in the same way. Adding yourself again changes nothing, except that `sensors` are shared
   * then, or once you are accepted.
   * @summary Join a group, or accept users
   */
  @Post('{group_id}/users')
  @OperationId('addGroupUsers')
  @SuccessResponse(201, 'The users are in the group, or wait to be accepted')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(429, 'Too many wrong access passwords', {
    error: 'too many refused logins; try again later',
    code: 'rate_limited',
  })
  @Response<ErrorBody>(403, 'You are no member, or lack the right to do this', {
    error: 'in this group you may add nobody but yourself',
    code: 'forbidden',
  })
  async addGroupUsers(
    @Path() group_id: string,
    @Body() body: AddGroupUsersRequest,
    @Inject() caller: Caller,
  ): Promise<GroupUsersResponse> {
    const { group, members } = await this.memberships.add(caller, readId(group_id, 'group'), readJoinRequests(body));
    this.setStatus(201);
    return { users: members.map((member) => toGroupUserView(group, member, fullSight('full'))) };
  }

  /**
   * A member of a group, with the details that they show. Needs the right to list users, except for yourself.
   * @summary A member
   */
  @Get('{group_id}/users/{user_id}')
  @OperationId('getGroupUser')
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
   * Changes the rights of a member, which needs the right to add users or to edit the group; or what you yourself
   * show to the others. What is not given stays. Rights next to display settings that change nothing, as in a whole record
   * that you send back, need no right.
   * @summary Change a member
   */
  @Put('{group_id}/users/{user_id}')
  @OperationId('updateGroupUser')
  @SuccessResponse(200, 'The member after the change')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(409, 'The user waits to be accepted', {
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
    return toAnswer(await this.members.update(caller.userId, groupId, userId, readMemberChanges(body)), 'full');
  }

  /**
   * Removes a user from a group, or refuses one who waits. Their sensors leave the group, and the group is deleted with its
   * last member. Needs the right to remove users, except for yourself.
   * @summary Remove a member, or leave
   */
  @Delete('{group_id}/users/{user_id}')
  @OperationId('removeGroupUser')
  @SuccessResponse(200, 'The user is no member any more')
  async removeGroupUser(
    @Path() group_id: string,
    @Path() user_id: string,
    @Inject() caller: Caller,
  ): Promise<EmptyView> {
    await this.memberships.remove(caller.userId, readId(group_id, 'group'), readId(user_id, 'user'));
    return {};
  }
}

function toAnswer({ group, viewer, member }: SeenMember, details?: 'full' | 'no'): GroupUserResponse {
  const isOwn = viewer.userId === member.user.id;
  return { user: toGroupUserView(group, member, isOwn ? fullSight(details) : sightOf(viewer, details)) };
}
