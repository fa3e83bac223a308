import type { TsoaRoute } from '@tsoa/runtime';
import { Controller } from '@tsoa/runtime';
import type { Express, Request, Response } from 'express';
import type { Caller, Visitor } from '../caller';
import type { Container } from '../container';
import { models, routes } from '../generated/routes';
import { authenticate, visitorOf } from './authentication';
import { listControllers } from './controllers';
import { validateArguments } from './middlewares/lenient-validation';
import { limitRequests } from './middlewares/limit-requests';
import { RequestTurns } from './request-turns';

type Action = (...args: unknown[]) => Promise<unknown>;

/** One operation of the API, as tsoa read it from a controller. */
interface Route {
  method: string;
  path: string;
  controller: new (...args: never[]) => Controller;
  action: string;
  needsSession: boolean;
  args: Record<string, TsoaRoute.ParameterSchema>;
}

/** What all operations share. */
interface Context {
  container: Container;
  turns: RequestTurns;
}

/**
 * Registers every operation. Fixed paths come before those with variables, so that `/sensors/metatags` is never taken
 * for a sensor with the id "metatags". A controller's method gets its validated parameters and, last, the caller (or
 * the visitor where no session is required).
 */
export function registerRoutes(app: Express, container: Container): void {
  const controllers = listControllers(container.services);
  const context = { container, turns: new RequestTurns() };
  for (const route of [...(routes as Route[])].sort(bySpecificity)) {
    const create = controllers.get(route.controller);
    if (!create) throw new Error(`${route.controller.name} is not in the table of controllers`);
    const method = route.method as 'get' | 'post' | 'put' | 'delete'; // tsoa only writes these four
    app[method](route.path, (request, response) => respond(route, create(), context, request, response));
  }
}

async function respond(
  route: Route,
  controller: Controller,
  { container, turns }: Context,
  request: Request,
  response: Response,
): Promise<void> {
  const caller = await identify(route, container, request, response);
  const args = validateArguments(route.args, request, models);
  const action = Reflect.get(controller, route.action) as Action; // named by tsoa after the method itself
  const act = () => action.call(controller, ...args, caller);
  const body = await turns.run(caller, request, response, act);
  for (const [name, value] of Object.entries(controller.getHeaders())) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.status(controller.getStatus() ?? 200);
  response.json(body ?? {});
}

/** Identifies the caller and counts the request: for the user, or for the address where there is no session. */
async function identify(
  route: Route,
  { services, requestLimit }: Container,
  request: Request,
  response: Response,
): Promise<Caller | Visitor> {
  const visitor = visitorOf(request);
  const countVisitor = () => limitRequests(requestLimit, `address:${visitor.network}`, response);
  if (!route.needsSession) {
    await countVisitor();
    return visitor;
  }
  const caller = await authenticate(request, services.sessions).catch(async (error: unknown) => {
    await countVisitor();
    throw error;
  });
  await limitRequests(requestLimit, `user:${caller.userId}`, response);
  return caller;
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
