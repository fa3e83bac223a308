/** Between nudges of passes: a pass costs about the same for the points of one commit and for those of several. */
const PAUSE_MS = 10;
/** After a nudge for few points the pause is longer, because a pass costs more than they do: as much as some hundreds. */
const AFTER_FEW_MS = 25;
const FEW_POINTS = 100;
/** Of nudges that follow each other at the end of each pause: then so many passes would keep the processors from what else there is to do. */
const FEW_IN_A_ROW = 600;
/**
 * Many devices that send single points keep the processors busy with their uploads, and a pass of 64 sensors takes 8 ms of them before its first
 * point. So while this many points come in a millisecond, in commits of few points each, the pause is doubled, up to the longest one.
 */
const BUSY_POINTS_PER_MS = 12;
const LONGEST_MS = 100;

/** How long the nudges of passes wait for more points. */
export class Linger {
  /** Points for which passes were enqueued since the latest pause began, and how often that was. */
  private points = 0;
  private commits = 0;
  private latestMs = PAUSE_MS;

  /** Turns are enqueued for so many points of one commit, or for more where that is not known. */
  count(points = FEW_IN_A_ROW): void {
    this.points += points;
    this.commits += 1;
  }

  /** The pause, in ms, after the nudge for all that was counted; `inARow` is how many have followed each other, each at the end of a pause. */
  next(inARow: number): number {
    this.latestMs = this.choose(inARow);
    [this.points, this.commits] = [0, 0];
    return this.latestMs;
  }

  private choose(inARow: number): number {
    const { points, commits, latestMs } = this;
    if (inARow === 1) return points < FEW_POINTS ? AFTER_FEW_MS : PAUSE_MS;
    const isBusy = points >= BUSY_POINTS_PER_MS * latestMs && points < FEW_POINTS * commits;
    if (isBusy) return Math.min(2 * Math.max(latestMs, AFTER_FEW_MS), LONGEST_MS);
    return points < FEW_IN_A_ROW ? AFTER_FEW_MS : PAUSE_MS;
  }
}
