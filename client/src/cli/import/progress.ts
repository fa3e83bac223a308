import type { Shell } from '../shell';

const CLEAR = '\r\u001b[K';
const BAR = 30;
const TERMINAL_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;

/** A bar on a terminal; elsewhere a line every ten seconds. */
export class Progress {
  private done = 0;
  private points = 0;
  private readonly beganMs = Date.now();
  private shownMs = Date.now();

  constructor(private readonly stderr: Shell['stderr']) {}

  advance(done: number): void {
    this.done = Math.min(1, done);
  }

  stored(points: number): void {
    this.points += points;
    this.show();
  }

  show(): void {
    const nowMs = Date.now();
    const { isTTY } = this.stderr;
    if (nowMs - this.shownMs < (isTTY ? TERMINAL_EVERY_MS : LINE_EVERY_MS)) return;
    this.shownMs = nowMs;
    const rate = Math.round(this.points / Math.max(1, (nowMs - this.beganMs) / 1000));
    const text = `${Math.floor(this.done * 100)} %  ${numbered(this.points)} points  ${numbered(rate)}/s`;
    if (!isTTY) this.stderr.write(`${text}\n`);
    else {
      const filled = Math.round(this.done * BAR);
      this.stderr.write(`${CLEAR}${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${text}`);
    }
  }

  end(): void {
    if (this.stderr.isTTY) this.stderr.write(CLEAR);
  }
}

export function numbered(count: number): string {
  return count.toLocaleString('en-US');
}
