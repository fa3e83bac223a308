/** What a sensor does now, as a search finds it. */
export type PresentState = 'firing' | 'silent' | 'pending' | 'ok';

/** What a search asks about the present: the state of a sensor, and how long it has been without data. */
export interface PresentFilter {
  state?: PresentState;
  /** Has had no point for this long, in ms. */
  inactiveForMs?: number;
}
