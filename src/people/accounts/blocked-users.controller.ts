import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { SessionCaller } from '../../platform/caller';
import type { BlockedUsersService } from './blocked-users.service';
import { type BlockedUserResponse, type BlockedUsersResponse, toBlockedUserView } from './user.view';
import type { BlockUserRequest } from './users.request';

@Route('users/blocked')
@Tags('Sharing')
@Response<ErrorBody>(401, 'No valid session')
export class BlockedUsersController extends Controller {
  constructor(private readonly blockedUsers: BlockedUsersService) {
    super();
  }

  /**
   * Lists the users who cannot share all or some of their sensors with you: blocked users, and the owners of sensors
   * that you removed yourself from; ordered by id.
   * @summary List blocked users
   */
  @Get()
  @Security('session')
  @SuccessResponse(200, 'A page of users')
  @Response<ErrorBody>(400, 'Invalid input')
  async listBlockedUsers(@Queries() query: PageQuery, @Inject() caller: SessionCaller): Promise<BlockedUsersResponse> {
    const { items, total } = await this.blockedUsers.list(caller.userId, readPage(query));
    return { users: items.map(toBlockedUserView), total };
  }

  /**
   * Blocks a user, who is named by `id`, by `username`, or by both: every sensor that they shared with you is removed,
   * and they cannot share others with you. Sensors in groups that both of you are in stay visible, and neither
   * sees alerts of the other there. You can block 1,000 users. `username` is empty here and in the list if you named the user by `id` only and do not see the name
   * elsewhere.
   * @summary Block a user
   */
  @Post()
  @Security('session')
  @SuccessResponse(200, 'The user cannot share sensors with you')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'The user does not exist')
  @Response<ErrorBody>(409, 'You block as many users as you can', {
    error: 'you block 1000 users, which is as many as you can',
    code: 'conflict',
  })
  async blockUser(@Body() body: BlockUserRequest, @Inject() caller: SessionCaller): Promise<BlockedUserResponse> {
    return { user: toBlockedUserView(await this.blockedUsers.block(caller.userId, body.user)) };
  }

  /**
   * Lets a user share sensors with you again, including those that you removed yourself from.
   * @summary Unblock a user
   */
  @Delete('{id}')
  @Security('session')
  @SuccessResponse(200, 'The user can share sensors with you')
  @Response<ErrorBody>(404, 'You refuse no sensors of this user')
  async unblockUser(@Path() id: string, @Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.blockedUsers.allow(caller.userId, readId(id, 'user'));
    return {};
  }
}
