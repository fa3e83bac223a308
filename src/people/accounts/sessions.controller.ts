import {
  Body,
  Controller,
  Deprecated,
  Get,
  Header,
  Inject,
  NoSecurity,
  Post,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import type { SessionCaller, Visitor } from '../../platform/caller';
import type { AccountsService } from './accounts.service';
import type { PasswordResets } from './password-resets';
import {
  expiredSessionCookie,
  type LogoutResponse,
  type PasswordResetResponse,
  type PasswordWarning,
  passwordWarning,
  type SessionResponse,
  sessionCookie,
} from './session.view';
import type {
  ChangePasswordRequest,
  LoginRequest,
  PasswordResetRequest,
  ResetPasswordRequest,
} from './sessions.request';
import type { SessionsService } from './sessions.service';

@Route()
@Tags('Sessions and account')
export class SessionsController extends Controller {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accounts: AccountsService,
    private readonly passwordResets: PasswordResets,
  ) {
    super();
  }

  /**
   * Opens a session. Its id is in the body, in the header `X-SESSION_ID` and in the cookie `session_id`. Send it
   * with every further request in one of these ways, or as the parameter `session_id`. You can be logged in from
   * several addresses. A login from a new address ends your sessions that are older than a week. An account with
   * a second factor also needs a code of it, as `otp`; keys and tokens need none. A page of another site gets no
   * cookie.
   * @summary Log in
   * @param userAgent The program, which the list of sessions shows
   * @example userAgent "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
   */
  @Post('login')
  @NoSecurity()
  @SuccessResponse<{ 'X-SESSION_ID': string; 'Set-Cookie': string }>(200, 'The session was opened')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(
    401,
    'Wrong username or password: `error` is exactly `unauthorized`. With `second_factor`: the account needs a code as well',
    { error: 'unauthorized', code: 'login_refused' },
  )
  @Response<ErrorBody>(429, 'Too many refused logins for this username or from this address; see `Retry-After`', {
    error: 'too many refused logins; try again later',
    code: 'rate_limited',
  })
  @Response<ErrorBody>(503, 'The database is not available; see `Retry-After`')
  async login(
    @Body() body: LoginRequest,
    @Header('User-Agent') userAgent = '',
    @Inject() visitor: Visitor,
  ): Promise<SessionResponse> {
    const sessionId = await this.sessions.login(body.username, body.password, {
      ...visitor,
      ...{ userAgent, otp: body.otp },
    });
    this.setHeader('X-SESSION_ID', sessionId);
    this.setHeader('Set-Cookie', sessionCookie(sessionId, visitor.secure));
    return { session_id: sessionId };
  }

  /**
   * Ends the session of this request and deletes its cookie. A page of another site can end only a session that it
   * sends itself, and the cookie stays. The session at an identity provider goes on: `provider_logout` ends it.
   * @summary Log out
   */
  @Post('logout')
  @Security('session')
  @SuccessResponse<{ 'Set-Cookie': string }>(200, 'The session has ended')
  @Response<ErrorBody>(401, 'No valid session')
  async logout(@Inject() caller: SessionCaller): Promise<LogoutResponse> {
    const { isByIdentity } = await this.sessions.logout(caller);
    this.setHeader('Set-Cookie', expiredSessionCookie(caller.secure));
    return isByIdentity ? { provider_logout: '/login/oidc/logout' } : {};
  }

  /**
   * The same as `POST /logout`, kept for old clients. A page of another site cannot end the session of the cookie.
   * @summary Log out with GET
   */
  @Get('logout')
  @Deprecated()
  @Security('session')
  @SuccessResponse<{ 'Set-Cookie': string }>(200, 'The session has ended')
  @Response<ErrorBody>(401, 'No valid session')
  logoutByGet(@Inject() caller: SessionCaller): Promise<LogoutResponse> {
    return this.logout(caller);
  }

  /**
   * Changes the password of the current user. All other sessions of the user end; keys and applications stay valid, as
   * `warning` then says, unless `end_everything` is true. The change is reported to the account's address, if that is
   * confirmed.
   * @summary Change your password
   */
  @Post('change_password')
  @Security('session')
  @SuccessResponse(200, 'The password was changed')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(401, 'No valid session')
  @Response<ErrorBody>(403, 'The current password is wrong', {
    error: 'the current password is wrong',
    code: 'wrong_password',
  })
  async changePassword(@Body() body: ChangePasswordRequest, @Inject() caller: SessionCaller): Promise<PasswordWarning> {
    const password = { password: body.new_password, endEverything: body.end_everything };
    const otherAccess = await this.accounts.changePassword(caller, body.current_password, password);
    return { warning: passwordWarning(otherAccess) };
  }

  /**
   * Mails a link for choosing a new password to the address of the account. The link works once and within one hour.
   * If several accounts have this address, the mail has a link for each and names the numbers of the accounts.
   * @summary Request a password reset
   */
  @Post('requestPasswordReset')
  @NoSecurity()
  @SuccessResponse(200, 'The mail was sent')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'The account does not exist', { error: 'the account does not exist', code: 'not_found' })
  @Response<ErrorBody>(409, 'The address has not confirmed the account, and takes no mails about it', {
    error:
      'the address of this account takes no mails about it: only its owner can allow them, by the link in a mail that it got',
    code: 'conflict',
  })
  @Response<ErrorBody>(429, 'Too many mails were requested, and none was sent; see `Retry-After`', {
    error: 'too many mails were asked for; use the last one',
    code: 'rate_limited',
  })
  @Response<ErrorBody>(503, 'The mail could not be sent; see `Retry-After`', {
    error: 'the mail could not be sent; try again later',
    code: 'unavailable',
  })
  async requestPasswordReset(@Body() body: PasswordResetRequest, @Inject() _visitor: Visitor): Promise<EmptyResponse> {
    await this.passwordResets.request(body);
    return {};
  }

  /**
   * Sets a new password with the token of a password reset mail, and returns the username to log in with. All sessions
   * of the user end; keys and applications stay valid, as `warning` then says, unless `end_everything` is true.
   * @summary Set a new password
   */
  @Post('resetPassword')
  @NoSecurity()
  @SuccessResponse(200, 'The password was changed')
  @Response<ErrorBody>(400, 'Invalid input')
  async resetPassword(@Body() body: ResetPasswordRequest, @Inject() _visitor: Visitor): Promise<PasswordResetResponse> {
    const password = { password: body.password, endEverything: body.end_everything };
    const { username, otherAccess } = await this.accounts.resetPassword(body.token, password);
    return { username, warning: passwordWarning(otherAccess) };
  }
}
