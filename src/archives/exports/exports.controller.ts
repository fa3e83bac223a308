import type { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  Inject,
  NoSecurity,
  Path,
  Post,
  Produces,
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
import type { CreateExportRequest, FileQuery } from './exports.request';
import type { ExportsService } from './exports.service';
import { fileFrom } from './file-range';

@Route('exports')
@Tags('Exports and imports')
@Response<ErrorBody>(401, 'No valid session, key or token')
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
    const { items, total } = await this.exports.list(caller.userId, readPage(query));
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
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'The password is wrong, or a key asks for secrets', {
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
    return { export: toExportView(await this.exports.find(caller.userId, readId(id, 'export'))) };
  }

  /**
   * Sends the file of an export, by the token of its link. Needs no session. A broken download goes on with `Range`.
   * @summary Download an export
   * @param range The first byte to send, with status 206; other ranges get the whole file.
   * @example range "bytes=1048576-"
   */
  @Get('{id}/file')
  @NoSecurity()
  @Produces('application/zip')
  @SuccessResponse(200, 'The file')
  @Response<ErrorBody>(404, 'The link is void, or the export is gone', {
    error: 'the file does not exist',
    code: 'not_found',
  })
  async downloadExport(
    @Path() id: string,
    @Queries() query: FileQuery,
    @Header('Range') range = '',
  ): Promise<Readable> {
    const found = await this.exports.open(readId(id, 'export'), query.token);
    const { status, headers, stream } = fileFrom(found, range);
    this.setStatus(status);
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
    this.setHeader('Content-Disposition', `attachment; filename="export-${readId(id, 'export')}.zip"`);
    return stream;
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
    await this.exports.cancel(caller.userId, readId(id, 'export'));
    return {};
  }
}
