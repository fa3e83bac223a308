import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
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
import { streamOf } from '../../edge/arriving-body';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { InvalidInput } from '../../platform/errors';
import { type ImportResponse, type ImportsResponse, toImportView, toListedImportView } from './import.view';
import type { ArchiveFile } from './imports.request';
import type { ImportsService } from './imports.service';

const MOST_PASSPHRASE = 1_000;

@Route('imports')
@Tags('Exports and imports')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class ImportsController extends Controller {
  constructor(private readonly imports: ImportsService) {
    super();
  }

  /**
   * Lists your imports of the last day, the latest first.
   * @summary List imports
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of imports')
  @Response<ErrorBody>(400, 'Invalid input')
  async listImports(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<ImportsResponse> {
    const { items, total } = await this.imports.list(caller.userId, readPage(query));
    return { imports: items.map(toListedImportView), total };
  }

  /**
   * Reads the file of an export into your account: send the file as the body. First a worker checks all of it; a file
   * with a mistake is refused, with the entry, and nothing is written. Then it adds what your account does not have, by
   * names: what is there already is kept as it is, so that a second import of the file adds nothing. Old data points
   * fire no rule.
   * @summary Import a file
   * @param passphrase The passphrase of the secrets in the file, percent-encoded. Without it secrets are left out.
   * @example passphrase "correct%20horse%20battery%20staple"
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The file has arrived, and waits for a worker')
  @Response<ErrorBody>(400, 'There is no file', {
    error: 'the body must be the zip file of an export',
    code: 'invalid_input',
  })
  @Response<ErrorBody>(409, 'Another import of yours is not over', {
    error: 'the import before this one is not over: wait for it, or cancel it',
    code: 'conflict',
  })
  async createImport(
    @Body() body: ArchiveFile,
    @Header('X-Passphrase') passphrase = '',
    @Inject() caller: Caller,
  ): Promise<ImportResponse> {
    const file = streamOf(body);
    if (!file) throw new InvalidInput('the body must be the zip file of an export');
    const created = await this.imports.create(caller, file, readPassphrase(passphrase));
    this.setStatus(201);
    this.setHeader('Location', `/imports/${created.id}`);
    return { import: toImportView(created) };
  }

  /**
   * Returns an import with its progress, the new ids, and what was not carried over.
   * @summary Get an import
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The import')
  @Response<ErrorBody>(404, 'You have no such import')
  async getImport(@Path() id: string, @Inject() caller: Caller): Promise<ImportResponse> {
    return { import: toImportView(await this.imports.find(caller.userId, readId(id, 'import'))) };
  }

  /**
   * Cancels an import. What it has added stays.
   * @summary Cancel an import
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The import was cancelled')
  @Response<ErrorBody>(404, 'You have no such import')
  async cancelImport(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.imports.cancel(caller.userId, readId(id, 'import'));
    return {};
  }
}

function readPassphrase(header: string): string | undefined {
  if (header === '') return undefined;
  try {
    const text = decodeURIComponent(header);
    if (text.length <= MOST_PASSPHRASE) return text;
  } catch {
    // the same mistake
  }
  throw InvalidInput.field('X-Passphrase', `must be percent-encoded, and at most ${MOST_PASSPHRASE} characters`);
}
