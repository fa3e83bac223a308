import type { NamedPersonView, PersonView } from './sensor.view';

/** The answer that carries the name of one user. */
export interface NamedPersonAnswer {
  user: NamedPersonView;
}

/** The answer that carries a page of users. */
export interface PeopleAnswer {
  users: PersonView[];
  /**
   * How many users all pages hold; with `total=1`.
   * @example 1
   */
  total?: number;
}
