import type { Records } from '../api';
import { t } from '../language';
import { Status } from './page';

type Severity = Records['Severity'];

const COLOURS: Readonly<Record<Severity, 'bad' | 'warn' | undefined>> = {
  critical: 'bad',
  warning: 'warn',
  info: undefined,
};

/** The most urgent first. */
export const SEVERITIES = Object.keys(COLOURS) as readonly Severity[];

export function colourOf(severity: Severity) {
  return COLOURS[severity];
}

export function SeverityStatus({ severity }: { severity: Severity }) {
  return <Status kind={COLOURS[severity]}>{t(severity)}</Status>;
}
