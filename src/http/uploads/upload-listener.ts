import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Container } from '../../container';
import { DataPointsController } from '../../controllers/data-points.controller';
import type { DataPointsUpload, SensorsDataUpload } from '../../requests/data-points.request';
import { type Bodies, isSurelySmall } from '../middlewares/bodies';
import { describeError } from '../middlewares/error-handler';
import { readMethod } from '../middlewares/legacy-requests';
import { limitRequests } from '../middlewares/limit-requests';
import { parseBody } from '../middlewares/parse-body';
import { logWhenSent } from '../middlewares/request-log';
import { fixedHeaders, sendJson } from './json-response';
import { type PlainUpload, plainUploadOf } from './plain-upload';

/** What answers a request: a status and a body, or express. */
type Answer = { status: number; body: object } | 'express';

/**
 * Answers plain uploads exactly as express would, by the same reader of bodies, session lookup, controller and errors, but without
 * what express does around them, which costs more than all of these together. Hands everything else to express: at once and unread,
 * or, when the body or the session turns out to be unusual, with the body that was read.
 */
export class UploadListener {
  private readonly fixed = fixedHeaders();

  constructor(
    private readonly container: Pick<Container, 'services' | 'requestLimit' | 'metrics' | 'logger'>,
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
    const answer = await this.answer(request, response, upload).catch((error: unknown) =>
      describeError(error, response, requestId, logger),
    );
    if (answer === 'express') return this.express(request, response);
    metrics.plainUploads.inc();
    logWhenSent(logger, response, { requestId, method: 'POST', path: request.url ?? '', startedMs });
    sendJson(response, this.fixed, { ...answer, requestId });
  }

  /** In the order in which express does it: errors of the body come before those of the session, and are not counted. */
  private async answer(request: IncomingMessage, response: ServerResponse, upload: PlainUpload): Promise<Answer> {
    let session = isSurelySmall(request) ? undefined : await this.find(upload);
    if (session === null) return 'express';
    const bytes = await this.bodies.read(request, response, session?.userId);
    const body = parseBody(bytes, upload.label);
    session ??= await this.find(upload);
    if (session === null || readMethod(body) !== undefined) {
      this.bodies.keep(request, body);
      return 'express';
    }
    await limitRequests(this.container.requestLimit, `user:${session.userId}`, response);
    return this.store(upload, body, session);
  }

  /** Null when there is no such session, or it cannot be looked up at the moment: express finds out, and counts the visitor. */
  private find({ token }: PlainUpload): Promise<{ userId: number } | null> {
    return this.container.services.sessions.find(token).catch(() => null);
  }

  private async store({ sensorId }: PlainUpload, body: unknown, caller: { userId: number }): Promise<Answer> {
    const { dataPoints, clock } = this.container.services;
    const controller = new DataPointsController(dataPoints, clock);
    // The controller's own readers check the bodies: tsoa's validation leaves these out, too.
    const stored =
      sensorId === undefined
        ? await controller.uploadSensorsData(body as SensorsDataUpload, caller)
        : await controller.uploadData(sensorId, body as DataPointsUpload, caller);
    return { status: controller.getStatus() ?? 200, body: stored };
  }
}
