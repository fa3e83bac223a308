import {
  Controller,
  Delete,
  Get,
  Inject,
  OperationId,
  Path,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { SessionCaller } from '../caller';
import { readId } from '../requests/id';
import { type PageQuery, readPage } from '../requests/paging';
import type { SessionsService } from '../services/accounts/sessions.service';
import type { EmptyResponse } from '../views/empty.view';
import type { ErrorBody } from '../views/error.view';
import { type SessionsResponse, toSessionView } from '../views/session.view';

@Route('users/{id}/sessions')
@Tags('Sessions and account')
@Response<ErrorBody>(401, 'No valid session')
@Response<ErrorBody>(403, 'This is not your account', { error: 'this is not your account', code: 'forbidden' })
export class UserSessionsController extends Controller {
  constructor(private readonly sessions: SessionsService) {
    super();
  }

  /**
   * Lists the sessions of your own account, ordered by id: where and when you have logged in, and which of them this request
   * uses. What clients send to be known by is not shown, and is stored as a hash only.
   * @summary List your sessions
   */
  @Get()
  @Security('session')
  @OperationId('listSessions')
  @SuccessResponse(200, 'A page of sessions')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'The id is not a number that an account can have')
  async listSessions(
    @Path() id: string,
    @Queries() query: PageQuery,
    @Inject() caller: SessionCaller,
  ): Promise<SessionsResponse> {
    const { items, total } = await this.sessions.list(caller, readId(id, 'user'), readPage(query));
    return { sessions: items.map((item) => toSessionView(item, caller.credential.id)), total };
  }

  /**
   * Ends all sessions of your own account but the one of this request. They are refused from their next request on, and their
   * streams end within ten seconds. Keys and applications are not affected.
   * @summary End your other sessions
   */
  @Delete()
  @Security('session')
  @OperationId('endOtherSessions')
  @SuccessResponse(200, 'The other sessions have ended')
  @Response<ErrorBody>(404, 'The id is not a number that an account can have')
  async endOtherSessions(@Path() id: string, @Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.sessions.endOthers(caller, readId(id, 'user'));
    return {};
  }

  /**
   * Ends one session of your own account, from its next request on. With the id of the session of this request it does the
   * same as `POST /logout`, but for the cookie.
   * @summary End a session
   */
  @Delete('{login_id}')
  @Security('session')
  @OperationId('endSession')
  @SuccessResponse(200, 'The session has ended')
  @Response<ErrorBody>(404, 'You have no such session', { error: 'the session does not exist', code: 'not_found' })
  async endSession(
    @Path() id: string,
    @Path() login_id: string,
    @Inject() caller: SessionCaller,
  ): Promise<EmptyResponse> {
    await this.sessions.end(caller, readId(id, 'user'), readId(login_id, 'session'));
    return {};
  }
}
