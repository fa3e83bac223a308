import type { Readable } from 'node:stream';
import {
  Controller,
  Get,
  Header,
  NoSecurity,
  Path,
  Produces,
  Queries,
  Response,
  Route,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { FileQuery } from './exports.request';
import type { ExportsService } from './exports.service';
import { fileFrom } from './file-range';

/** Files of exports, for everybody who has the link. */
@Route('exports')
@Tags('Exports and imports')
export class ExportFilesController extends Controller {
  constructor(private readonly exports: ExportsService) {
    super();
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
  @Response<ErrorBody>(400, 'Invalid input')
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
}
