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
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Caller, Visitor } from '../caller';
import { readId } from '../requests/id';
import { type RegistrationRequest, readAccount, type UpdateUserRequest } from '../requests/users.request';
import type { UsersService } from '../services/accounts/users.service';
import type { EmptyView } from '../views/empty.view';
import type { ErrorBody } from '../views/error.view';
import { toUserView, type UserResponse } from '../views/user.view';

@Route('users')
@Tags('Users')
export class UsersController extends Controller {
  constructor(private readonly users: UsersService) {
    super();
  }

  /**
   * Registers a user; no session is needed. A welcome mail, with nothing of the body in it, is sent unless
   * `disable_mail` is 1.
   * @summary Register
   */
  @Post()
  @OperationId('createUser')
  @SuccessResponse<{ Location: string }>(201, 'The account exists')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(409, 'The username is taken', {
    error: 'this username is taken',
    code: 'username_taken',
    fields: { 'user.username': 'is taken' },
  })
  async createUser(@Body() body: RegistrationRequest, @Inject() _visitor: Visitor): Promise<UserResponse> {
    const user = await this.users.register(readAccount(body.user), { welcomeMail: body.disable_mail !== true });
    this.setStatus(201);
    this.setHeader('Location', `/users/${user.id}`);
    return { user: toUserView(user) };
  }

  /**
   * The account behind the session.
   * @summary The current user
   */
  @Get('current')
  @Security('session')
  @OperationId('getCurrentUser')
  @SuccessResponse(200, 'The account')
  @Response<ErrorBody>(401, 'No valid session')
  async getCurrentUser(@Inject() caller: Caller): Promise<UserResponse> {
    return { user: toUserView(await this.users.current(caller)) };
  }

  /**
   * One's own account by its id.
   * @summary A user
   */
  @Get('{id}')
  @Security('session')
  @OperationId('getUser')
  @SuccessResponse(200, 'The account')
  @Response<ErrorBody>(401, 'No valid session')
  @Response<ErrorBody>(403, 'This is not the account of the session')
  @Response<ErrorBody>(404, 'No account can have this id')
  async getUser(@Path() id: string, @Inject() caller: Caller): Promise<UserResponse> {
    return { user: toUserView(await this.users.find(caller, readId(id, 'user'))) };
  }

  /**
   * Changes one's own account. Only the fields that are given change; a new password ends all other sessions.
   * @summary Change the account
   */
  @Put('{id}')
  @Security('session')
  @OperationId('updateUser')
  @SuccessResponse(200, 'The account as it is now')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(401, 'No valid session')
  @Response<ErrorBody>(403, 'This is not the account of the session')
  @Response<ErrorBody>(404, 'No account can have this id')
  @Response<ErrorBody>(409, 'The username is taken', {
    error: 'this username is taken',
    code: 'username_taken',
    fields: { 'user.username': 'is taken' },
  })
  async updateUser(
    @Path() id: string,
    @Body() body: UpdateUserRequest,
    @Inject() caller: Caller,
  ): Promise<UserResponse> {
    return { user: toUserView(await this.users.update(caller, readId(id, 'user'), readAccount(body.user))) };
  }

  /**
   * Removes one's own account with everything that belongs to it: sessions, sensors and their data, services,
   * triggers, notifications, environments, memberships. It cannot be undone.
   * @summary Remove the account
   */
  @Delete('{id}')
  @Security('session')
  @OperationId('deleteUser')
  @SuccessResponse(200, 'The account is gone')
  @Response<ErrorBody>(401, 'No valid session')
  @Response<ErrorBody>(403, 'This is not the account of the session')
  @Response<ErrorBody>(404, 'No account can have this id')
  async deleteUser(@Path() id: string, @Inject() caller: Caller): Promise<EmptyView> {
    await this.users.remove(caller, readId(id, 'user'));
    return {};
  }
}
