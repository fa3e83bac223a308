import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Container } from '../../container';
import { type Bodies, isSurelySmall } from '../middlewares/bodies';
import { describeError } from '../middlewares/error-handler';
import { recordWhenSent } from '../middlewares/request-log';
import { sendJson } from './json-response';
import { type PlainUpload, plainUploadOf, targetOf } from './plain-upload';
import { ForExpress, type UploadAnswer, type UploadAnswers } from './upload-answers';

/**
 * Answers plain uploads without what express does around them, which costs more than all of their lookups together. Hands everything else to
 * express: at once and unread, or, when the body or the credential turns out to be unusual, with the body that was read.
 */
export class UploadListener {
  constructor(
    private readonly container: Pick<Container, 'metrics' | 'logger'>,
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
    const startedMs = performance.now();
    const requestId = randomUUID();
    const { logger, metrics } = this.container;
    let answer: UploadAnswer | ForExpress;
    try {
      const read = (userId: number | undefined) => this.bodies.read(request, response, userId);
      answer = await this.answers.answer(upload, { isSurelySmall: isSurelySmall(request), read }, response);
    } catch (error) {
      answer = describeError(error, response, requestId, logger);
    }
    if (answer instanceof ForExpress) {
      if (answer.parsed) this.bodies.keep(request, answer.parsed.body);
      return this.express(request, response);
    }
    metrics.plainUploads.inc();
    const target = () => targetOf(upload, answer.storedMs);
    recordWhenSent({ logger, metrics }, response, { requestId, method: 'POST', target, startedMs });
    sendJson(response, answer, requestId);
  }
}
