/** What a sensor does now, as a search finds it. */
export type PresentState = 'firing' | 'silent' | 'pending' | 'ok';

export interface PresentFilter {
  state?: PresentState;
  /** Has had no point for this long, in ms. */
  inactiveForMs?: number;
}
