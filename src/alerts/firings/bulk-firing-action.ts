/** An action on the episode of a firing; a mute is one of its trigger on its sensor. */
export type BulkFiringAction =
  | { kind: 'acknowledge'; note: string | undefined }
  | { kind: 'resolve' }
  | { kind: 'mute'; endMs: number };
