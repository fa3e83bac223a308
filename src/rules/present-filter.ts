/** What a search asks about the present: the state of a sensor, and how long it has been without data. */
export interface PresentFilter {
  state?: 'firing' | 'pending' | 'ok' | 'silent';
  /** Has had no point for this long, in ms. */
  inactiveForMs?: number;
}
