import { Controller, Get, Inject, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type AuditOwnerQuery, type AuditQuery, readAuditFilter, readGroupId } from './audit.request';
import { type AuditHeadResponse, type AuditResponse, toAuditHeadResponse, toAuditRecordView } from './audit.view';
import type { AuditLog } from './audit-log';

const WRONG_GROUP: ErrorBody = {
  error: 'group_id must be an id',
  code: 'invalid_input',
  fields: { group_id: 'must be an id' },
};

@Route('audit')
@Tags('History')
@Response<ErrorBody>(401, 'No valid session or key')
@Response<ErrorBody>(403, 'An application asks, or you may not edit the group', {
  error: 'only members of the group may do this',
  code: 'forbidden',
})
@Response<ErrorBody>(404, 'There is no such group')
export class AuditController extends Controller {
  constructor(private readonly log: AuditLog) {
    super();
  }

  /**
   * Lists who changed what in your account, and who signed in or tried to: newest first. With `group_id` it lists the
   * changes of a group, of its members and of its sensors. Uploads of data points are not recorded. With `.csv` at the
   * end of the path, or `Accept: text/csv`, it returns a line for each record; with `.ndjson` a JSON object per line.
   * Records are kept for `AUDIT_RETENTION_DAYS`, 400 by default.
   * @summary List what happened
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of records')
  @Response<ErrorBody>(400, 'Invalid input', WRONG_GROUP)
  async listAudit(@Queries() query: AuditQuery, @Inject() caller: Caller): Promise<AuditResponse> {
    const { items, total } = await this.log.list(caller, readAuditFilter(query), readPage(query), query.sort);
    return { records: items.map(toAuditRecordView), total };
  }

  /**
   * Returns the latest hash of the history of your account, or of a group. Each record has the hash of the one before,
   * so this hash stands for all of them.
   * @summary Get the latest hash
   */
  @Get('head')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The latest hash')
  @Response<ErrorBody>(400, 'Invalid input', WRONG_GROUP)
  async getAuditHead(@Queries() query: AuditOwnerQuery, @Inject() caller: Caller): Promise<AuditHeadResponse> {
    return toAuditHeadResponse(await this.log.head(caller, readGroupId(query)));
  }
}
