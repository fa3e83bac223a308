import type { TsoaRoute } from '@tsoa/runtime';
import { Controller } from '@tsoa/runtime';
import type { Express, Request, Response } from 'express';
import type { Requirement } from '../access/credential.policy';
import type { Container } from '../container';
import { models, routes } from '../generated/routes';
import type { Caller, Identity, Visitor } from '../platform/caller';
import { PlatformError } from '../platform/errors';
import { DataPointsController } from '../resources/data-points/data-points.controller';
import { requireNoValue } from '../resources/data-points/data-reads.request';
import { StreamsController } from '../resources/streams/streams.controller';
import { type Authentication, authenticate, authenticateAgain } from './authentication';
import { listControllers } from './controllers';
import { sendExport, wantedExport } from './data-export';
import { sendStream } from './event-stream';
import { authorise } from './middlewares/authorise';
import { isForeignPage } from './middlewares/foreign-page';
import { validateArguments } from './middlewares/lenient-validation';
import { limitRequests, showAllowance } from './middlewares/limit-requests';
import { refuseOtherMethods } from './middlewares/method-not-allowed';
import type { SecurityRequirement } from './openapi/document';
import { readRequirement } from './openapi/security';
import { RequestAdmission } from './request-admission';
import { sendJson } from './send-text';
import { visitorOf } from './visitor';

type Action = (...args: unknown[]) => Promise<unknown>;

/** An operation of the API, as tsoa read it from a controller. */
interface WrittenRoute {
  method: string;
  path: string;
  controller: new (...args: never[]) => Controller;
  action: string;
  security: readonly SecurityRequirement[];
  args: Record<string, TsoaRoute.ParameterSchema>;
}

/** An operation, with its requirement for the caller. */
interface Route extends WrittenRoute {
  requires: Requirement | 'nothing';
  /** As in the document: `/sensors/{id}`. */
  documentPath: string;
  isChange: boolean;
}

/** The dependencies of all operations. */
interface Context {
  container: Container;
  authentication: Authentication;
  admission: RequestAdmission;
}

/**
 * Registers every operation. Fixed paths come before those with variables, so that `/sensors/metatags` is never taken
 * for a sensor with the id "metatags". A controller's method gets its validated parameters and, last, the caller (or
 * the visitor if no session is required).
 */
export function registerRoutes(app: Express, container: Container, authentication: Authentication): void {
  const controllers = listControllers(container.services);
  const context = { container, authentication, admission: new RequestAdmission(container.answerBudget) };
  for (const route of (routes as WrittenRoute[]).map(withRequirement).sort(bySpecificity)) {
    const create = controllers.get(route.controller);
    if (!create) throw new Error(`${route.controller.name} is not in the table of controllers`);
    const method = route.method as 'get' | 'post' | 'put' | 'delete'; // tsoa only writes these four
    app[method](route.path, (request, response) => respond(route, create(), context, request, response));
  }
}

async function respond(
  route: Route,
  controller: Controller,
  { container, authentication, admission }: Context,
  request: Request,
  response: Response,
): Promise<void> {
  // Express treats a HEAD as a GET: a client that only checks an address must not change anything.
  if (request.method === 'HEAD' && route.isChange && route.requires !== 'nothing')
    refuseOtherMethods('GET')(request, response);
  const caller = await identify(route, { container, authentication }, request, response);
  if (controller instanceof DataPointsController && route.requires === 'read') requireNoValue(request.query);
  const args = validateArguments(route.args, request, models);
  const action = Reflect.get(controller, route.action) as Action; // named by tsoa after the method itself
  const act = () => action.call(controller, ...args, caller);
  if (controller instanceof StreamsController) {
    await act();
    return sendStream(request, response, controller, () => identifyAgain(route, authentication, request));
  }
  const account = admission.openAccount(caller, request, response);
  const lines = wantedExport(request, response, controller, args);
  if (lines && 'userId' in caller) {
    const recheck = () => identifyAgain(route, authentication, request);
    return admission.run(caller, request, response, () => sendExport(lines, { caller, recheck }, response), account);
  }
  const body = await admission.run(caller, request, response, act, account);
  for (const [name, value] of Object.entries(controller.getHeaders())) {
    // The browser keeps its own login: a page of another site must neither replace nor end it.
    const isWithheld = name === 'Set-Cookie' && isForeignPage(request);
    if (value !== undefined && !isWithheld) response.setHeader(name, value);
  }
  if (controller instanceof DataPointsController) {
    showAllowance(response, controller.allowance);
    response.locals.storedMs = controller.storedMs;
  }
  response.status(controller.getStatus() ?? 200);
  await sendJson(response, Object(body ?? {}), account);
}

/**
 * Identifies the caller, counts the request for the user, or for the address if there is none, and refuses operations
 * that the credential may not do.
 */
async function identify(
  { requires, method, documentPath: path, isChange }: Route,
  { container: { requestLimit }, authentication }: Omit<Context, 'admission'>,
  request: Request,
  response: Response,
): Promise<Caller | Visitor> {
  const visitor = visitorOf(request);
  const countVisitor = () => limitRequests(requestLimit, `address:${visitor.network}`, response);
  if (requires === 'nothing') {
    await countVisitor();
    return visitor;
  }
  const caller = await authenticate(request, authentication, isChange).catch(async (error: unknown) => {
    await countVisitor();
    throw error;
  });
  await limitRequests(requestLimit, `user:${caller.userId}`, response);
  authorise(caller.credential, { requires, method, path }, request.params.id);
  return caller;
}

/** The identity of a request's credential, long after its arrival; null if it may not do this any more. */
async function identifyAgain(
  { requires, method, documentPath: path }: Route,
  authentication: Authentication,
  request: Request,
): Promise<Identity | null> {
  try {
    const identity = await authenticateAgain(request, authentication);
    if (requires !== 'nothing') authorise(identity.credential, { requires, method, path }, request.params.id);
    return identity;
  } catch (error) {
    if (error instanceof PlatformError && error.status < 500) return null;
    throw error;
  }
}

function withRequirement(route: WrittenRoute): Route {
  const documentPath = route.path.replace(/:(\w+)/g, '{$1}');
  const requires = readRequirement(route.security, `${route.method} ${documentPath}`);
  return { ...route, documentPath, requires, isChange: isChange({ ...route, documentPath, requires }) };
}

/** Some clients can only send GET: an operation for them changes something nevertheless. */
function isChange({ method, documentPath, requires }: Omit<Route, 'isChange'>): boolean {
  return method !== 'get' || requires === 'write' || requires === 'data:write' || documentPath === '/logout';
}

function bySpecificity(a: Route, b: Route): number {
  return specificity(a.path).localeCompare(specificity(b.path));
}

/** Orders paths segment by segment: a fixed segment before a variable. */
function specificity(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '~' : `!${segment}`))
    .join('/');
}
