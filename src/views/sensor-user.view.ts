import type { PersonView } from './sensor.view';

/** The answer that carries one user. */
export interface PersonAnswer {
  user: PersonView;
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
