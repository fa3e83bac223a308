import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  NoSecurity,
  Path,
  Post,
  Put,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller, SessionCaller, Visitor } from '../../platform/caller';
import type { RegistrationGate } from './registration-gate';
import { passwordWarning } from './session.view';
import { toUserView, type UpdatedUserResponse, type UserResponse } from './user.view';
import { type RegistrationRequest, readAccount, readWeeklyReport, type UpdateUserRequest } from './users.request';
import type { UsersService } from './users.service';

@Route('users')
@Tags('Users')
export class UsersController extends Controller {
  constructor(
    private readonly users: UsersService,
    private readonly registrations: RegistrationGate,
  ) {
    super();
  }

  /**
   * Registers a user. No session is required. A welcome mail, which contains nothing from the request, is sent unless
   * `disable_mail` is true, the address has got several in this hour, or its mailbox refuses the mails of all accounts.
   * Its link confirms the address: until then notifications are not sent to it. Without a welcome mail, the first
   * notification to the address asks for the confirmation.
   * @summary Register a user
   */
  @Post()
  @NoSecurity()
  @SuccessResponse<{ Location: string }>(201, 'The user was created')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'Registering is closed, or requires an invitation', {
    error: 'this platform takes no registrations',
    code: 'registration_closed',
  })
  @Response<ErrorBody>(409, 'The username is taken', {
    error: 'this username is taken',
    code: 'username_taken',
    fields: { 'user.username': 'is taken' },
  })
  async createUser(@Body() body: RegistrationRequest, @Inject() visitor: Visitor): Promise<UserResponse> {
    await this.registrations.enter(visitor.network, body.invitation);
    const user = await this.users.register(readAccount(body.user), { welcomeMail: body.disable_mail !== true });
    this.setStatus(201);
    this.setHeader('Location', `/users/${user.id}`);
    return { user: toUserView(user) };
  }

  /**
   * Returns the account of the session, key or token.
   * @summary Get the current user
   */
  @Get('current')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The account')
  @Response<ErrorBody>(401, 'No valid session, key or token')
  async getCurrentUser(@Inject() caller: Caller): Promise<UserResponse> {
    return { user: toUserView(await this.users.current(caller)) };
  }

  /**
   * Returns your own account by its id.
   * @summary Get a user
   */
  @Get('{id}')
  @Security('session')
  @SuccessResponse(200, 'The account')
  @Response<ErrorBody>(401, 'No valid session')
  @Response<ErrorBody>(403, 'This is not your account')
  @Response<ErrorBody>(404, 'The id is not a number that an account can have')
  async getUser(@Path() id: string, @Inject() caller: SessionCaller): Promise<UserResponse> {
    return { user: toUserView(await this.users.find(caller, readId(id, 'user'))) };
  }

  /**
   * Changes your own account. Fields that are not given keep their values. A new password ends all other sessions; keys
   * and applications stay valid, as `warning` then says, unless `end_everything` is true. A new password or email is
   * reported to the former address if that is confirmed, and a new email must be confirmed before notifications are
   * sent to it; if the session is older than ten minutes, or the account has a second factor, both require
   * `current_password`.
   * @summary Update your account
   */
  @Put('{id}')
  @Security('session')
  @SuccessResponse(200, 'The updated account')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(401, 'No valid session')
  @Response<ErrorBody>(403, 'This is not your account, or the current password is required, or wrong')
  @Response<ErrorBody>(404, 'The id is not a number that an account can have')
  @Response<ErrorBody>(409, 'The username is taken', {
    error: 'this username is taken',
    code: 'username_taken',
    fields: { 'user.username': 'is taken' },
  })
  async updateUser(
    @Path() id: string,
    @Body() body: UpdateUserRequest,
    @Inject() caller: SessionCaller,
  ): Promise<UpdatedUserResponse> {
    const { current_password: currentPassword, end_everything: endEverything } = body.user;
    const options = { currentPassword, endEverything, weeklyReport: readWeeklyReport(body.user) };
    const changes = readAccount(body.user, caller.username);
    const changed = await this.users.update(caller, readId(id, 'user'), changes, options);
    return { user: toUserView(changed.user), warning: passwordWarning(changed.otherAccess) };
  }

  /**
   * Deletes your own account and everything that belongs to it: sessions, sensors and their data, services,
   * triggers, notifications, environments and memberships. This cannot be undone.
   * @summary Delete your account
   */
  @Delete('{id}')
  @Security('session')
  @SuccessResponse(200, 'The account was deleted')
  @Response<ErrorBody>(401, 'No valid session')
  @Response<ErrorBody>(403, 'This is not your account')
  @Response<ErrorBody>(404, 'The id is not a number that an account can have')
  async deleteUser(@Path() id: string, @Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.users.delete(caller, readId(id, 'user'));
    return {};
  }
}
