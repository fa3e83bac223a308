/**
 * Linger between the nudges of passes, in ms: a pass costs about the same for the points of one commit and of several.
 */
const PAUSE_MS = 10;
/** Longer linger after a nudge for few points, because a pass costs as much as some hundreds of points. */
const AFTER_FEW_MS = 25;
const FEW_POINTS = 100;
/**
 * In a run of nudges that follow each other at the end of each linger, fewer points than this count as few: so many
 * passes would take processor time from other work.
 */
const FEW_IN_A_ROW = 600;
/**
 * Many devices that send single points keep the processors busy with uploads, and a pass of 64 sensors takes 8 ms of
 * processor time before its first point. So while this many points per ms arrive in commits of few points each, the
 * linger is doubled, up to the longest one.
 */
const BUSY_POINTS_PER_MS = 12;
const LONGEST_MS = 100;

/** How long the nudges of passes wait for more points. */
export class Linger {
  /** Points for which passes were enqueued since the latest linger began, and the number of commits. */
  private points = 0;
  private commits = 0;
  private latestMs = PAUSE_MS;

  /** Counts `points` of one commit for which passes are enqueued; many points if the number is unknown. */
  count(points = FEW_IN_A_ROW): void {
    this.points += points;
    this.commits += 1;
  }

  /**
   * The linger, in ms, after the nudge for everything counted so far. `inARow`: how many nudges have followed each
   * other, each at the end of a linger.
   */
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
