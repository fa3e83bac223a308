import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Identity } from '../../caller';
import type { Container } from '../../container';
import { DataPointsController } from '../../controllers/data-points.controller';
import { IdentityOutdated } from '../../errors';
import type { DataPointsUpload, SensorsDataUpload } from '../../requests/data-points.request';
import { authorise, judgeRequest } from '../middlewares/authorise';
import { keyIn } from '../middlewares/bearer-token';
import { type Bodies, isSurelySmall } from '../middlewares/bodies';
import { describeError } from '../middlewares/error-handler';
import { readMethod } from '../middlewares/legacy-requests';
import { limitRequests, showAllowance } from '../middlewares/limit-requests';
import { parseBody } from '../middlewares/parse-body';
import { recordWhenSent } from '../middlewares/request-log';
import { sendJson } from './json-response';
import { type PlainUpload, plainUploadOf } from './plain-upload';

/** What answers a request: a status and a body, or express. */
type Answer = { status: number; body: object; storedMs?: number } | 'express';

/**
 * Answers plain uploads exactly as express would, by the same reader of bodies, lookups, policy, controller and errors, but without
 * what express does around them, which costs more than all of these together. Hands everything else to express: at once and unread,
 * or, when the body or the credential turns out to be unusual, with the body that was read.
 */
export class UploadListener {
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
    let answer: Answer;
    try {
      answer = await this.answer(request, response, upload);
    } catch (error) {
      answer = describeError(error, response, requestId, logger);
    }
    if (answer === 'express') return this.express(request, response);
    metrics.plainUploads.inc();
    const { storedMs } = answer;
    const target = () => ({ route: routeOf(upload), id: upload.sensorId, storedMs });
    recordWhenSent({ logger, metrics }, response, { requestId, method: 'POST', target, startedMs });
    sendJson(response, answer, requestId);
  }

  /** In the order in which express does it: errors of the body come before those of the credential, and are not counted. */
  private async answer(request: IncomingMessage, response: ServerResponse, upload: PlainUpload): Promise<Answer> {
    let caller: Identity | null | undefined = this.recall(upload);
    if (!caller && !isSurelySmall(request)) caller = await this.find(upload);
    if (caller === null) return 'express';
    const bytes = await this.bodies.read(request, response, caller?.userId);
    const body = parseBody(bytes, upload.label);
    caller ??= await this.find(upload);
    if (caller === null || isUnusual(body, upload)) {
      this.bodies.keep(request, body);
      return 'express';
    }
    const { requestLimit } = this.container;
    if (requestLimit.isOn) await limitRequests(requestLimit, `user:${caller.userId}`, response);
    try {
      return await this.store(upload, body, caller, response);
    } catch (error) {
      if (!caller.isRemembered) throw error;
      // It may have ended or changed since, and then everything else may be wrong because of that.
      const present = await this.find(upload);
      if (present === null) {
        this.bodies.keep(request, body);
        return 'express';
      }
      if (error instanceof IdentityOutdated) return this.store(upload, body, present, response);
      authoriseUpload(present, upload);
      throw error;
    }
  }

  /**
   * The caller, if they were found a moment ago; not where something is charged to them before the upload is stored, nor where their key did
   * not reach the sensor then: by now it may.
   */
  private recall(upload: PlainUpload): Identity | undefined {
    const { services, requestLimit } = this.container;
    if (requestLimit.isOn || services.dataPoints.isLimited) return undefined;
    const caller = (upload.by === 'session' ? services.sessions : services.bearerTokens).recall(upload.secret);
    return caller && judgeRequest(caller.credential, operationOf(upload), upload.sensorId) === 'allowed'
      ? caller
      : undefined;
  }

  /** Null when it is unknown, or cannot be looked up at the moment: express finds out, and counts the visitor. */
  private async find({ secret, by }: PlainUpload): Promise<Identity | null> {
    const { sessions, bearerTokens } = this.container.services;
    try {
      return await (by === 'session' ? sessions : bearerTokens).find(secret);
    } catch {
      return null;
    }
  }

  private async store(upload: PlainUpload, body: unknown, caller: Identity, response: ServerResponse): Promise<Answer> {
    authoriseUpload(caller, upload);
    const { sensorId } = upload;
    const { dataPoints, clock, dataExport } = this.container.services;
    const controller = new DataPointsController(dataPoints, clock, dataExport);
    // The controller's own readers check the bodies: tsoa's validation leaves these out, too.
    const stored =
      sensorId === undefined
        ? await controller.uploadSensorsData(body as SensorsDataUpload, caller)
        : await controller.uploadData(sensorId, body as DataPointsUpload, caller);
    showAllowance(response, controller.allowance);
    return { status: controller.getStatus() ?? 200, body: stored, storedMs: controller.storedMs };
  }
}

function authoriseUpload({ credential }: Identity, upload: PlainUpload): void {
  authorise(credential, operationOf(upload), upload.sensorId);
}

function operationOf(upload: PlainUpload) {
  return { requires: 'data:write', method: 'post', path: routeOf(upload) } as const;
}

/** The path, as the document has it. */
function routeOf({ sensorId }: PlainUpload): string {
  return sensorId === undefined ? '/sensors/data' : '/sensors/{id}/data';
}

/** Whether a body names another method, or a second credential. */
function isUnusual(body: unknown, { by }: PlainUpload): boolean {
  if (readMethod(body) !== undefined || keyIn(body) !== undefined) return true;
  return by === 'bearer' && Object(body).session_id !== undefined;
}
