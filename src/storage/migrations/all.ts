import { createBaseline } from './baseline';
import type { Migration } from './migration';

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [createBaseline];
