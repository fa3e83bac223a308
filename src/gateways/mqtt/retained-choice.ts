/**
 * Retained messages, delivered when a subscription is made: `changes` stores values that differ from the last stored
 * one of their series.
 */
export const RETAINED_CHOICES = ['store', 'changes', 'ignore'] as const;
export type RetainedChoice = (typeof RETAINED_CHOICES)[number];
