import type { UserSort, UserUsage } from '../../operators/user-usage';
import { type Html, html } from '../../platform/html';
import { count, day, navigation, number, table, time, userLink } from './parts';

/** Number of users on a page. */
export const USERS_PER_PAGE = 50;

interface UsersView {
  users: readonly UserUsage[];
  total: number;
  search: string;
  sort: UserSort;
  /** From 0. */
  page: number;
  root: string;
}

const COLUMNS: readonly (readonly [sort: UserSort, name: string])[] = [
  ['username', 'Username'],
  ['created', 'Created'],
  ['seen', 'Last seen'],
  ['sensors', 'Sensors'],
  ['points', 'Points, 24 h'],
  ['deliveries', 'Deliveries, 24 h'],
];

export function usersPage(view: UsersView): Html {
  const { users, total, search, root } = view;
  return html`<h1>Users</h1>
${navigation(root)}
<form class="search" method="get" action="${root}admin/users" role="search">
<label for="search">Username or email address</label>
<input id="search" name="search" type="search" value="${search}" maxlength="255">
<input type="hidden" name="sort" value="${view.sort}">
<button class="plain">Search</button>
</form>
<p class="quiet">${total === 1 ? 'One user' : `${number(total)} users`}${search && ` with “${search}”`}. Points and deliveries are counted by whole hours since this release runs; who was last seen is known to the hour.</p>
${users.length === 0 ? html`<p>No user matches.</p>` : userTable(view)}
${pages(view)}`;
}

function userTable(view: UsersView): Html {
  const { root } = view;
  const [name, ...others] = COLUMNS.map(([sort, title]) => heading(view, sort, title));
  return table(
    'Users',
    [name ?? '', 'Email', ...others],
    view.users.map(
      (user) =>
        html`<tr><td>${userLink(root, user)}${user.disabledMs !== null && html` <strong class="tag">disabled</strong>`}</td><td>${user.emailState}</td><td class="nowrap">${day(user.createdMs)}</td><td class="nowrap">${user.seenMs === null ? 'never' : time(user.seenMs)}</td>${count(user.sensors)}${count(user.points)}${count(user.deliveries)}</tr>`,
    ),
  );
}

function heading(view: UsersView, sort: UserSort, title: string): Html {
  if (sort === view.sort) return html`${title} <span aria-label="sorted">${sort === 'username' ? '↑' : '↓'}</span>`;
  return html`<a href="${addressOf(view, { sort, page: 0 })}">${title}</a>`;
}

function pages(view: UsersView): Html {
  const { page, total } = view;
  const last = Math.max(0, Math.ceil(total / USERS_PER_PAGE) - 1);
  if (last === 0) return html``;
  return html`<nav aria-label="Pages of the list">${page > 0 && html`<a href="${addressOf(view, { page: page - 1 })}" rel="prev">Previous</a> · `}Page ${page + 1} of ${last + 1}${page < last && html` · <a href="${addressOf(view, { page: page + 1 })}" rel="next">Next</a>`}</nav>`;
}

function addressOf({ root, search, ...view }: UsersView, other: { sort?: UserSort; page: number }): string {
  const query = new URLSearchParams({ search, sort: other.sort ?? view.sort, page: String(other.page) });
  return `${root}admin/users?${query}`;
}
