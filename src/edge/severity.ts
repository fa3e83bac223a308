/** How urgent the firings of a trigger are for their readers. It decides nothing on the platform. */
export type Severity = 'info' | 'warning' | 'critical';

export const DEFAULT_SEVERITY: Severity = 'warning';
