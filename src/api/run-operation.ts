import { Readable } from 'node:stream';
import type { Controller } from '@tsoa/runtime';
import type { Request, Response } from 'express';
import type { Container } from '../container';
import { exactReader } from '../edge/models/exact-reader';
import { models } from '../generated/routes';
import type { NotificationsController } from '../notifications/controllers';
import type { Caller, Identity, Visitor } from '../platform/caller';
import { IdentityOutdated, PlatformError } from '../platform/errors';
import { withoutUndefined } from '../platform/without-undefined';
import { type ExportedLines, type ExportFormat, type ExportReader, rechecked, requireNoValue } from '../points';
import type { DataPointsController, StreamsController } from '../points/controllers';
import type { AnswerAccount } from './answer-account';
import { inPreferredLanguage } from './answer-language';
import { type Authentication, authenticateAgain, lookUpIdentity } from './authentication';
import { listControllers } from './controllers';
import { countedCaller, countVisitor } from './counted-caller';
import { exportPoints, formatAsked, sendLines } from './data-export';
import { sendStream } from './event-stream';
import type { GivenArguments } from './mcp/tool';
import { authorise, judgeRequest } from './middlewares/authorise';
import { whenClosed } from './middlewares/closed-response';
import { isForeignPage } from './middlewares/foreign-page';
import { validateArguments } from './middlewares/lenient-validation';
import { showAllowance } from './middlewares/limit-requests';
import { refuseOtherMethods } from './middlewares/method-not-allowed';
import { OperationRecorder } from './operation-recorder';
import { decodeParams, type MatchedOperation, type Operation } from './operations';
import type { RequestAdmission } from './request-admission';
import { sendFile } from './send-file';
import { sendJson } from './send-text';
import { exportTable, type ListQuery } from './table-export';
import { visitorOf } from './visitor';

type Action = (...args: unknown[]) => Promise<unknown>;
/** Uploads need no address. */
type Subject = Caller | Identity | Visitor;
/** What a controller leaves for the answer besides the body. Most leave nothing. */
type Remainder = Partial<
  Pick<DataPointsController, 'allowance' | 'storedMs'> & Pick<NotificationsController, 'afterwards'>
>;

export interface OperationParts {
  container: Container;
  authentication: Authentication;
  admission: RequestAdmission;
}

/** Identifies the caller, authorises, validates, admits, calls the controller, and answers. */
export class OperationRunner {
  private readonly controllers;
  private readonly recorder: OperationRecorder;
  private readonly named: ReadonlyMap<string, Operation>;

  constructor(
    private readonly parts: OperationParts,
    operations: readonly Operation[],
  ) {
    this.controllers = listControllers(parts.container.services, exactReader(models));
    this.recorder = new OperationRecorder(parts.container.refusedAttempts, parts.container.clock);
    this.named = new Map(operations.map((operation) => [operation.action, operation]));
    const missing = operations.find(({ controller }) => !this.controllers.has(controller));
    if (missing) throw new Error(`${missing.controller.name} is not in the table of controllers`);
  }

  /** Needs the body. Throws the client's error. */
  async run({ operation, params }: MatchedOperation, request: Request, response: Response): Promise<void> {
    request.params = decodeParams(params);
    // A HEAD is a GET, and a client that only checks an address must not change anything.
    if (request.method === 'HEAD' && operation.isChange && operation.requires !== 'nothing')
      refuseOtherMethods('GET')(request, response);
    // Before the credential: a device that stores by GET has a key that may not read.
    if (operation.readsPoints) requireNoValue(request.query);
    const cached = this.lookUp(operation, request);
    if (!cached) return this.act(operation, await this.identify(operation, request, response), request, response);
    try {
      await this.act(operation, cached, request, response);
    } catch (error) {
      // The credential may have expired or changed since, and everything else may be wrong because of that.
      const present = await this.identify(operation, request, response);
      if (!(error instanceof IdentityOutdated)) throw error;
      await this.act(operation, present, request, response);
    }
  }

  /**
   * The answer of an operation in JSON, for a caller who is known, counted and admitted. `request` is the one that
   * asks for it. Throws the client's error.
   */
  async call(
    name: string,
    { path = {}, query = {}, body }: GivenArguments,
    caller: Caller,
    request: Request,
  ): Promise<Record<string, unknown>> {
    const operation = this.named.get(name);
    if (!operation || operation.requires === 'nothing') throw new Error(`there is no operation ${name} to call`);
    authorise(caller.credential, { ...operation, requires: operation.requires }, path.id);
    const given = Object.create(request, {
      params: { value: path },
      query: { value: withoutUndefined(query) },
      body: { value: body },
    });
    const { act } = this.prepare(operation, caller, given);
    return (await this.carefully(operation, caller, act)) as Record<string, unknown>; // a view, or the text of a document
  }

  private prepare(operation: Operation, caller: Subject, request: Request) {
    const controller = this.controllers.get(operation.controller)?.();
    if (!controller) throw new Error(`${operation.controller.name} has no factory`);
    const args = validateArguments(operation.args, request, models);
    const action = Reflect.get(controller, operation.action) as Action; // named by tsoa after the method itself
    const act = () => this.recorder.run(operation, caller, () => action.call(controller, ...args, caller));
    return { controller, args, action, act };
  }

  private async act(operation: Operation, caller: Subject, request: Request, response: Response): Promise<void> {
    const { admission, authentication } = this.parts;
    const { kind } = operation;
    const { controller, args, action, act } = this.prepare(operation, caller, request);
    const identifyAgain = () => identityNow(operation, authentication, request);
    if (operation.isStream) {
      await act();
      return sendStream(request, response, controller as StreamsController, identifyAgain);
    }
    const account = admission.openAccount(caller, kind, response);
    const hasLines = operation.readsPoints || operation.table || operation.lines;
    const format = hasLines ? formatAsked(request, response) : undefined;
    if (format && 'userId' in caller && (format === 'ndjson' || !operation.lines)) {
      const reader = { caller, recheck: identifyAgain };
      const send = async () => {
        const lines = await linesOf(operation, { action, controller, args }, format, reader);
        return sendLines(response, format, lines);
      };
      return admission.run(caller, kind, response, () => this.carefully(operation, caller, send), account);
    }
    const first = await admission.run(caller, kind, response, () => this.carefully(operation, caller, act), account);
    const { afterwards, allowance, storedMs } = controller as Remainder;
    const body = afterwards ? await afterwards(whenClosed(response)) : first;
    for (const [name, value] of Object.entries(controller.getHeaders())) {
      // The browser keeps its own login: a page of another site must neither replace nor end it.
      const isWithheld = name === 'Set-Cookie' && isForeignPage(request);
      if (value !== undefined && !isWithheld) response.setHeader(name, value);
    }
    showAllowance(response, allowance);
    response.locals.storedMs = storedMs;
    response.statusCode = controller.getStatus() ?? 200;
    await sendBody(response, body, account);
  }

  /** Refuses a request that has ended several processes. */
  private carefully<T>(operation: Operation, caller: Subject, work: () => Promise<T>): Promise<T> {
    if (!operation.isHeavy || !('userId' in caller)) return work();
    const name = `${operation.method.toUpperCase()} ${operation.documentPath}`;
    return this.parts.container.begunRequests.run(caller.userId, name, work);
  }

  /**
   * A cached caller of an upload. Undefined if requests or points are counted, or if the key did not reach the sensor
   * when it was cached: it may by now.
   */
  private lookUp(operation: Operation, request: Request): Identity | undefined {
    const { kind, requires } = operation;
    const { container, authentication } = this.parts;
    if (kind !== 'upload' || requires === 'nothing') return undefined;
    if (container.requestQuota.isOn || container.services.dataPoints.isLimited) return undefined;
    const identity = lookUpIdentity(request, authentication);
    if (!identity) return undefined;
    const isAllowed = judgeRequest(identity.credential, { ...operation, requires }, request.params.id) === 'allowed';
    return isAllowed ? identity : undefined;
  }

  /** Counts the request for the user, or the address, and refuses what the credential may not do. */
  private async identify(operation: Operation, request: Request, response: Response): Promise<Subject> {
    const { requires, isChange } = operation;
    const { container, authentication } = this.parts;
    const { requestQuota } = container;
    if (requires === 'nothing') {
      await countVisitor(request, response, requestQuota);
      return visitorOf(request);
    }
    const caller = await countedCaller(request, response, { authentication, requestQuota }, isChange);
    const check = () => authorise(caller.credential, { ...operation, requires }, request.params.id);
    if (this.recorder.records(operation)) await this.recorder.run(operation, caller, async () => check());
    else check();
    return caller;
  }
}

interface Call {
  action: Action;
  controller: Controller;
  args: readonly unknown[];
}

/** The answer as lines. A list is read page by page, as long as its reader may. */
async function linesOf(
  { table, lines }: Operation,
  { action, controller, args }: Call,
  format: ExportFormat,
  reader: ExportReader,
): Promise<ExportedLines> {
  if (lines) return Reflect.get(controller, lines).call(controller, ...args, reader.caller);
  if (!table) return exportPoints(controller as DataPointsController, args, format, reader);
  const [query, ...others] = args;
  const asked = query as ListQuery; // operations with tables have these parameters
  const current = rechecked(reader);
  return exportTable(table, format, asked, async (page) => {
    const answer = await action.call(controller, { ...asked, ...page }, ...others, await current());
    return Object(answer);
  });
}

/** Agents expect texts or no body; documents are texts; pictures are bytes; files are streams; everything else is JSON. */
async function sendBody(response: Response, body: unknown, account: AnswerAccount | undefined): Promise<void> {
  if (response.statusCode === 204) response.end();
  else if (typeof body === 'string')
    response.type(String(response.getHeader('Content-Type') ?? 'text/plain')).send(body);
  else if (Buffer.isBuffer(body)) response.send(body);
  else if (body instanceof Readable) await sendFile(response, body);
  else {
    const shown = inPreferredLanguage(Object(body ?? {}), response.req.headers['accept-language']);
    await sendJson(response, shown, account);
  }
}

/** Long after the request's arrival; null if the credential may not do this any more. */
async function identityNow(
  operation: Operation,
  authentication: Authentication,
  request: Request,
): Promise<Identity | null> {
  try {
    const identity = await authenticateAgain(request, authentication);
    const { requires } = operation;
    if (requires !== 'nothing') authorise(identity.credential, { ...operation, requires }, request.params.id);
    return identity;
  } catch (error) {
    if (error instanceof PlatformError && error.status < 500) return null;
    throw error;
  }
}
