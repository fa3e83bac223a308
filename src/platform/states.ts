import type { PlainText } from './words/words';

/** What shows a state. */
interface Look {
  sign: string;
  word: PlainText;
  /** Colors of the text and of its ground, on a light and on a dark page. */
  light: readonly [ink: string, soft: string];
  dark: readonly [ink: string, soft: string];
}

const GREY = { light: ['#55645f', '#f4f6f6'], dark: ['#a2b1ad', '#171f1e'] } as const;

const LOOKS = {
  critical: { sign: '▲', word: 'critical', light: ['#a8261e', '#fdeeec'], dark: ['#ffb0a6', '#3a1a17'] },
  warning: { sign: '◆', word: 'warning', light: ['#7a4d00', '#fdf3df'], dark: ['#f2c468', '#332710'] },
  info: { sign: '■', word: 'info', light: ['#1d4fa3', '#e7effc'], dark: ['#a5c4ff', '#17284a'] },
  acknowledged: { sign: '✓', word: 'acknowledged', light: ['#5d3a96', '#f2ecfb'], dark: ['#d2b8fb', '#2d2143'] },
  muted: { sign: '⊘', word: 'muted', ...GREY },
  resolved: { sign: '○', word: 'resolved', light: ['#0a6b5e', '#e6f3f0'], dark: ['#62d2bd', '#15312c'] },
} as const satisfies Record<string, Look>;

export type StateName = keyof typeof LOOKS;

/** The most urgent first. */
export const STATES = Object.keys(LOOKS) as readonly StateName[]; // the names of a constant

/** The look of a state in mails and on pages behind links: that of the console. */
export function lookOf(state: StateName): Look {
  return LOOKS[state];
}
