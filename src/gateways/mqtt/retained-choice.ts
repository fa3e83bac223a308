/**
 * What is done with messages that a broker has retained, and delivers when a subscription is made: all are stored, those
 * whose value differs from the last stored one of their series, or none.
 */
export const RETAINED_CHOICES = ['store', 'changes', 'ignore'] as const;
export type RetainedChoice = (typeof RETAINED_CHOICES)[number];
