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
import type { Caller } from '../../platform/caller';
import { type ExportResponse, type ExportsResponse, toExportView } from './export.view';
import type { CreateExportRequest } from './exports.request';
import type { ExportsService } from './exports.service';

@Route('exports')
@Tags('Exports and imports')
@Response<ErrorBody>(401, 'No valid session, key or token')
@Response<ErrorBody>(403, 'An application asks', {
  error: 'an application may not export the account',
  code: 'forbidden',
})
export class ExportsController extends Controller {
  constructor(private readonly exports: ExportsService) {
    super();
  }

  /**
   * Lists your exports of the last day, the latest first.
   * @summary List exports
   */
  @Get()
  @Security('credential', ['write'])
  @SuccessResponse(200, 'A page of exports')
  @Response<ErrorBody>(400, 'Invalid input')
  async listExports(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<ExportsResponse> {
    const { items, total } = await this.exports.list(caller, readPage(query));
    return { exports: items.map(toExportView), total };
  }

  /**
   * Asks for everything of your account as a zip file: sensors with all their data points, rules, places, groups,
   * dashboards, alerts and history. A worker makes it; read its progress from the export. One at a time. Secrets are
   * left out, unless you ask for them with your password.
   * @summary Export everything
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The export waits for a worker')
  @Response<ErrorBody>(400, 'Invalid input', {
    error: 'export.secrets must be an object',
    code: 'invalid_input',
    fields: { 'export.secrets': 'must be an object' },
  })
  @Response<ErrorBody>(403, 'The password is wrong, a key asks for secrets, or an application for anything', {
    error: 'the current password is wrong',
    code: 'wrong_password',
  })
  @Response<ErrorBody>(409, 'Another export of yours is not over', {
    error: 'the export before this one is not over: wait for it, or cancel it',
    code: 'conflict',
  })
  async createExport(@Body() body: CreateExportRequest, @Inject() caller: Caller): Promise<ExportResponse> {
    const created = await this.exports.create(caller, body.export?.secrets);
    this.setStatus(201);
    this.setHeader('Location', `/exports/${created.archive.id}`);
    return { export: toExportView(created) };
  }

  /**
   * Returns an export with its progress and, once it is done, the address of its file.
   * @summary Get an export
   */
  @Get('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The export')
  @Response<ErrorBody>(404, 'You have no such export')
  async getExport(@Path() id: string, @Inject() caller: Caller): Promise<ExportResponse> {
    return { export: toExportView(await this.exports.find(caller, readId(id, 'export'))) };
  }

  /**
   * Cancels an export, or forgets one that is done, with its file.
   * @summary Cancel an export
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The export was cancelled')
  @Response<ErrorBody>(404, 'You have no such export')
  async cancelExport(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.exports.cancel(caller, readId(id, 'export'));
    return {};
  }
}
