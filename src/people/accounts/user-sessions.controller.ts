import {
  Controller,
  Delete,
  Get,
  Inject,
  Path,
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
import { type SessionsResponse, toSessionView } from './session.view';
import type { SessionsService } from './sessions.service';

@Route('sessions')
@Tags('Sessions and account')
@Response<ErrorBody>(401, 'No valid session')
export class UserSessionsController extends Controller {
  constructor(private readonly sessions: SessionsService) {
    super();
  }

  /**
   * Lists your sessions, ordered by id: where and when you have logged in, and which of them this request uses. The
   * session ids that clients send are not shown, and only their hashes are stored.
   * @summary List your sessions
   */
  @Get()
  @Security('session')
  @SuccessResponse(200, 'A page of sessions')
  @Response<ErrorBody>(400, 'Invalid input')
  async listSessions(@Queries() query: PageQuery, @Inject() caller: SessionCaller): Promise<SessionsResponse> {
    const { items, total } = await this.sessions.list(caller.userId, readPage(query));
    return { sessions: items.map((item) => toSessionView(item, caller.credential.id)), total };
  }

  /**
   * Ends all of your sessions except the one of this request. They are refused from their next request on, and their
   * streams end within ten seconds. Keys and applications are not affected.
   * @summary End your other sessions
   */
  @Delete()
  @Security('session')
  @SuccessResponse(200, 'The other sessions have ended')
  async endOtherSessions(@Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.sessions.endOthers(caller);
    return {};
  }

  /**
   * Ends one of your sessions, from its next request on. With the id of the session of this request it does the same as
   * `POST /logout`, but the cookie stays.
   * @summary End a session
   */
  @Delete('{id}')
  @Security('session')
  @SuccessResponse(200, 'The session has ended')
  @Response<ErrorBody>(404, 'You have no such session', { error: 'the session does not exist', code: 'not_found' })
  async endSession(@Path() id: string, @Inject() caller: SessionCaller): Promise<EmptyResponse> {
    await this.sessions.end(caller.userId, readId(id, 'session'));
    return {};
  }
}
