import type { Request, Response } from 'express';
import { parseId } from '../../edge/id';
import { SORTS, type UserSort } from '../../operators/user-usage';
import { NotFound } from '../../platform/errors';
import { roleOf } from '../board/guards';
import { checkToken } from '../pages/form-token';
import { rootOf, sendPage } from '../pages/page';
import { textIn } from '../pages/page-user';
import { PageWriter, sendWide } from './parts';
import type { OperatorRoutes } from './routes';
import { USER_ACTS, type UserActName, userActNamed } from './user-acts';
import { confirmPage, userPage } from './user-page';
import { USERS_PER_PAGE, usersPage } from './users-page';

const PATH = '/admin/users';
const MOST_PAGES = 100_000;
const CAUSES = 50;
const ACTIONS = 50;

/** `/admin/users`, and a page with actions for each user. */
export function installUserPages(routes: OperatorRoutes): void {
  routes.get(PATH, (request, response) => showUsers(routes, request, response));
  routes.get(`${PATH}/:id`, (request, response) => showUser(routes, request, response));
  for (const name of Object.keys(USER_ACTS)) {
    const act = userActNamed(name);
    if (!act) continue;
    routes.getAndPost(`${PATH}/:id/${act}`, {
      get: (request, response) => confirm(routes, act, request, response),
      post: (request, response) => run(routes, act, request, response),
    });
  }
}

async function showUsers({ container }: OperatorRoutes, request: Request, response: Response): Promise<void> {
  const { search: text, sort: by, page: number } = request.query;
  const search = typeof text === 'string' ? text.trim().slice(0, 255) : '';
  const sort: UserSort = typeof by === 'string' && Object.hasOwn(SORTS, by) ? (by as UserSort) : 'username'; // a key of it
  const page = Math.min(MOST_PAGES, Math.max(0, Math.trunc(Number(number)) || 0));
  const part = { search, sort, offset: page * USERS_PER_PAGE, limit: USERS_PER_PAGE };
  const { users, total } = await container.services.operations.userUsages.list(part);
  const writer = PageWriter.for(request);
  sendWide(request, response, {
    title: writer.words.t('Users'),
    body: usersPage({ users, total, search, sort, page, writer }),
  });
}

async function showUser({ container, secret }: OperatorRoutes, request: Request, response: Response): Promise<void> {
  const { userUsages, userCredentials, deliveryGroups, actions } = container.services.operations;
  const user = await userUsages.find(idIn(request));
  const [stored, session, key, authorization, causes, done] = await Promise.all([
    userUsages.stored(user.id),
    userCredentials.list('session', user.id),
    userCredentials.list('key', user.id),
    userCredentials.list('authorization', user.id),
    deliveryGroups.latestCauses({ userId: user.id }, CAUSES),
    actions.latest(ACTIONS, user.id),
  ]);
  const name = userActNamed(String(request.query.done));
  const writer = PageWriter.for(request);
  const body = userPage({
    ...{ user, stored, credentials: { session, key, authorization }, causes, actions: done, secret },
    ...{ mayAct: roleOf(response) === 'act', writer, done: name ? writer.words.t(USER_ACTS[name].done) : '' },
  });
  sendWide(request, response, { title: user.username, body });
}

async function confirm(
  { container, secret }: OperatorRoutes,
  name: UserActName,
  request: Request,
  response: Response,
): Promise<void> {
  const user = await container.services.operations.userUsages.find(idIn(request));
  const writer = PageWriter.for(request);
  const { words } = writer;
  const title = words.t(USER_ACTS[name].title, user);
  const body = confirmPage(name, { user, secret, writer });
  sendPage(request, response, { title, body, words, referrer: 'same-origin' });
}

async function run(
  { container, secret }: OperatorRoutes,
  name: UserActName,
  request: Request,
  response: Response,
): Promise<void> {
  const { services } = container;
  const id = idIn(request);
  checkToken(textIn(request, 'form_token'), secret, `${name} ${id}`);
  const { username } = await services.operations.userUsages.find(id);
  const subject = { userId: id, username, operator: response.locals.boardUser ?? '' };
  await USER_ACTS[name].run(services.operations.userControl, subject, textIn(request, 'option') === '1');
  response.redirect(303, `${rootOf(request)}admin/users/${id}?done=${name}`);
}

function idIn({ params }: Request): number {
  const id = parseId(String(params.id));
  if (id === null) throw new NotFound('the user');
  return id;
}
