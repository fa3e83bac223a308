export type Outcome = string | { failed: string };
