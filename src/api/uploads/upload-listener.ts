import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Bodies, isSurelySmall } from '../middlewares/bodies';
import { type RequestRecords, recordWhenSent } from '../middlewares/request-log';
import { sendJson } from './json-response';
import { type PlainUpload, plainUploadOf } from './plain-upload';
import { ForExpress, type UploadAnswers } from './upload-answers';

/**
 * Answers plain uploads without Express's overhead, which costs more than all of their lookups together. Passes
 * everything else to Express: at once and unread, or with the body if it was read before the body or the credential
 * turned out to be unusual.
 */
export class UploadListener {
  constructor(
    private readonly records: RequestRecords,
    private readonly answers: UploadAnswers,
    private readonly bodies: Bodies,
    private readonly express: RequestListener,
  ) {}

  readonly handle: RequestListener = (request, response) => {
    const upload = plainUploadOf(request);
    if (upload) void this.respond(request, response, upload);
    else this.express(request, response);
  };

  private async respond(request: IncomingMessage, response: ServerResponse, upload: PlainUpload): Promise<void> {
    const read = (userId: number | undefined) => this.bodies.read(request, response, userId);
    const answered = await this.answers.respond(upload, { isSurelySmall: isSurelySmall(request), read }, response);
    if (answered instanceof ForExpress) {
      if (answered.parsed) this.bodies.keep(request, answered.parsed.body);
      return this.express(request, response);
    }
    recordWhenSent(this.records, response, answered.request);
    sendJson(response, answered.answer, answered.request.requestId);
  }
}
