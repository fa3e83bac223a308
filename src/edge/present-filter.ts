/** What a sensor does now, as a search finds it. */
export type PresentState = 'firing' | 'silent' | 'pending' | 'ok';

export interface PresentFilter {
  state?: PresentState;
  inactiveForMs?: number;
}
