/** A mute mutes the trigger on the sensor. */
export type BulkFiringAction =
  | { kind: 'acknowledge'; note: string | undefined }
  | { kind: 'resolve' }
  | { kind: 'mute'; endMs: number };
