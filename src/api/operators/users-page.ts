import type { UserSort, UserUsage } from '../../operators/user-usage';
import { type Html, html } from '../../platform/html';
import type { PlainText } from '../../platform/words/words';
import { day, type PageWriter } from './parts';

/** Number of users on a page. */
export const USERS_PER_PAGE = 50;

interface UsersView {
  users: readonly UserUsage[];
  total: number;
  search: string;
  sort: UserSort;
  /** From 0. */
  page: number;
  writer: PageWriter;
}

const COLUMNS: readonly (readonly [sort: UserSort, name: PlainText])[] = [
  ['username', 'Username'],
  ['created', 'Created'],
  ['seen', 'Last seen'],
  ['sensors', 'Sensors'],
  ['points', 'Points, 24 h'],
  ['deliveries', 'Deliveries, 24 h'],
];

export function usersPage(view: UsersView): Html {
  const { users, total, search, writer } = view;
  const { words, root } = writer;
  return html`<h1>${words.t('Users')}</h1>
${writer.navigation()}
<form class="search" method="get" action="${root}admin/users" role="search">
<label for="search">${words.t('Username or email address')}</label>
<input id="search" name="search" type="search" value="${search}" maxlength="255">
<input type="hidden" name="sort" value="${view.sort}">
<button class="plain">${words.t('Search')}</button>
</form>
<p class="quiet">${found(total, search, writer)} ${words.t('Points and deliveries are counted by whole hours since this release runs; who was last seen is known to the hour.')}</p>
${users.length === 0 ? html`<p>${words.t('No user matches.')}</p>` : userTable(view)}
${pages(view)}`;
}

function found(total: number, search: string, writer: PageWriter): string {
  const { words } = writer;
  if (total === 1) return search ? words.t('One user with “{search}”.', { search }) : words.t('One user.');
  const n = writer.number(total);
  return search ? words.t('{n} users with “{search}”.', { n, search }) : words.t('{n} users.', { n });
}

function userTable(view: UsersView): Html {
  const { writer } = view;
  const { words } = writer;
  const [name, ...others] = COLUMNS.map(([sort, title]) => heading(view, sort, title));
  return writer.table(
    'Users',
    [name ?? html``, 'Email', ...others],
    view.users.map(
      (user) =>
        html`<tr><td>${writer.userLink(user)}${user.disabledMs !== null && html` <strong class="tag">${words.t('disabled')}</strong>`}</td><td>${words.t(user.emailState)}</td><td class="nowrap">${day(user.createdMs)}</td><td class="nowrap">${user.seenMs === null ? words.t('never') : writer.time(user.seenMs)}</td>${writer.count(user.sensors)}${writer.count(user.points)}${writer.count(user.deliveries)}</tr>`,
    ),
  );
}

function heading(view: UsersView, sort: UserSort, title: PlainText): Html {
  const { words } = view.writer;
  if (sort === view.sort)
    return html`${words.t(title)} <span aria-label="${words.t('sorted')}">${sort === 'username' ? '↑' : '↓'}</span>`;
  return html`<a href="${addressOf(view, { sort, page: 0 })}">${words.t(title)}</a>`;
}

function pages(view: UsersView): Html {
  const { page, total } = view;
  const { words } = view.writer;
  const last = Math.max(0, Math.ceil(total / USERS_PER_PAGE) - 1);
  if (last === 0) return html``;
  const link = (to: number, rel: string, text: PlainText) =>
    html`<a href="${addressOf(view, { page: to })}" rel="${rel}">${words.t(text)}</a>`;
  return html`<nav aria-label="${words.t('Pages of the list')}">${page > 0 && html`${link(page - 1, 'prev', 'Previous')} · `}${words.t('Page {page} of {pages}', { page: page + 1, pages: last + 1 })}${page < last && html` · ${link(page + 1, 'next', 'Next')}`}</nav>`;
}

function addressOf({ writer, search, ...view }: UsersView, other: { sort?: UserSort; page: number }): string {
  const query = new URLSearchParams({ search, sort: other.sort ?? view.sort, page: String(other.page) });
  return `${writer.root}admin/users?${query}`;
}
