import type { Records } from '../api';

/** The most urgent first. */
export const SEVERITIES: readonly Records['Severity'][] = ['critical', 'warning', 'info'];
