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
import { type GroupResponse, type GroupsResponse, toGroupView, toListedGroupView } from './group.view';
import {
  type CreateGroupRequest,
  type GroupListQuery,
  readGroup,
  readGroupFilter,
  type UpdateGroupRequest,
} from './groups.request';
import type { GroupsService } from './groups.service';
import type { MembershipsService } from './memberships.service';

@Route('groups')
@Tags('Groups')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class GroupsController extends Controller {
  constructor(
    private readonly groups: GroupsService,
    private readonly memberships: MembershipsService,
  ) {
    super();
  }

  /**
   * Lists the groups that you are a member of, and the ones that you asked to join, whose `membership` is `pending`.
   * @summary List your groups
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of groups')
  @Response<ErrorBody>(400, 'Invalid input')
  async listGroups(@Queries() query: GroupListQuery, @Inject() caller: Caller): Promise<GroupsResponse> {
    const list = await this.groups.list(caller.userId, { ...readGroupFilter(query), scope: 'own' }, readPage(query));
    return { groups: list.items.map(toListedGroupView), total: list.total };
  }

  /**
   * Lists every group that is not hidden, public or private; `membership` is your relation to each.
   * @summary List all groups
   */
  @Get('all')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of groups')
  @Response<ErrorBody>(400, 'Invalid input')
  async listAllGroups(@Queries() query: GroupListQuery, @Inject() caller: Caller): Promise<GroupsResponse> {
    const list = await this.groups.list(caller.userId, { ...readGroupFilter(query), scope: 'all' }, readPage(query));
    return { groups: list.items.map(toListedGroupView), total: list.total };
  }

  /**
   * Creates a group. You are its first member and have all rights.
   * @summary Create a group
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The group was created')
  @Response<ErrorBody>(400, 'Invalid input')
  async createGroup(@Body() body: CreateGroupRequest, @Inject() caller: Caller): Promise<GroupResponse> {
    const group = await this.groups.create(caller.userId, { ...readGroup(body.group), name: body.group.name });
    this.setStatus(201);
    this.setHeader('Location', `/groups/${group.id}`);
    return { group: toGroupView(group) };
  }

  /**
   * Returns a group. All users can read a public group; only members can read a private or hidden one.
   * @summary Get a group
   */
  @Get('{group_id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The group')
  @Response<ErrorBody>(403, 'You are not a member of this private group', {
    error: 'only members may see this group',
    code: 'forbidden',
  })
  @Response<ErrorBody>(404, 'The group does not exist, or is hidden from you')
  async getGroup(@Path() group_id: string, @Inject() caller: Caller): Promise<GroupResponse> {
    return { group: toGroupView(await this.groups.find(caller.userId, readId(group_id, 'group'))) };
  }

  /**
   * Changes a group. Every member may do so. Fields that are not given keep their values. New requirements and new
   * rights of members apply to users who join or ask to join later. Members keep the details that they agreed to show;
   * only if a member with the right to edit the group requires less do they all show less. A member cannot give new
   * members a right that they lack themselves, unless they may grant rights.
   * @summary Update a group
   */
  @Put('{group_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated group')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You are not a member of the group')
  @Response<ErrorBody>(404, 'The group does not exist, or is hidden from you')
  async updateGroup(
    @Path() group_id: string,
    @Body() body: UpdateGroupRequest,
    @Inject() caller: Caller,
  ): Promise<GroupResponse> {
    const changes = readGroup(body.group);
    return { group: toGroupView(await this.groups.update(caller.userId, readId(group_id, 'group'), changes)) };
  }

  /**
   * You leave the group, and your sensors leave it with you. The group is deleted with its last member. This
   * requires the right to remove users. Without it, leave with `DELETE /groups/{group_id}/users/{your id}`.
   * @summary Leave a group, and delete it as its last member
   */
  @Delete('{group_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'You are no longer a member')
  @Response<ErrorBody>(403, 'You are not a member, or lack the right to remove users')
  @Response<ErrorBody>(404, 'The group does not exist, or is hidden from you')
  async deleteGroup(@Path() group_id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.memberships.leave(caller.userId, readId(group_id, 'group'));
    return {};
  }
}
