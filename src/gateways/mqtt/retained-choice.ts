/** `changes` stores retained messages that differ from the last stored value of their series. */
export const RETAINED_CHOICES = ['store', 'changes', 'ignore'] as const;
export type RetainedChoice = (typeof RETAINED_CHOICES)[number];
