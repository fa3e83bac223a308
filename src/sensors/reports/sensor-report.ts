import type { ValueLimit } from '../../alerts';
import { readValue } from '../../language/sensor-value';
import type { Steps } from '../../platform/steps';
import type { DataPoint, Period } from '../../points';
import { NumberFields } from './number-fields';

/** What a report says of a period. Times are in ms. */
export interface PeriodReport extends Period {
  points: number;
  numbers: NumberFields;
  gaps: number;
  gapMs: number;
  /** At least one limit was passed. */
  outsideMs: number;
  /** By the place of the limit. */
  outsideOf: number[];
}

interface LastPoint {
  dateMs: number;
  outside: readonly boolean[];
}

interface Reported {
  dataType: string;
  /** Ms after which it is without data. */
  expectedMs: number;
  limits: readonly ValueLimit[];
}

/**
 * Reports on a sensor. A value lasts until the next point, if that comes within the expected interval; any longer time
 * between two points is a gap, in which no limit counts as passed.
 */
export class SensorReport {
  readonly periods: PeriodReport[];
  private last: LastPoint | undefined;
  private at = 0;

  constructor(
    private readonly sensor: Reported,
    periods: readonly Period[],
  ) {
    this.periods = periods.map((period) => ({
      ...{ ...period, points: 0, numbers: new NumberFields(), gaps: 0, gapMs: 0, outsideMs: 0 },
      outsideOf: sensor.limits.map(() => 0),
    }));
  }

  /**
   * Takes the last point before the periods, if that is within the expected interval, and then theirs in order. A step
   * tries at most one limit.
   */
  *add({ dateMs, value }: DataPoint): Steps<void> {
    const { dataType, limits } = this.sensor;
    this.close(dateMs);
    yield;
    const read = limits.length > 0 ? readValue(value, dataType) : null;
    const outside: boolean[] = [];
    for (const limit of limits) {
      outside.push(limit.isPassed(read, dateMs));
      yield;
    }
    this.last = { dateMs, outside };
    const period = this.periodAt(dateMs);
    if (!period) return;
    period.points += 1;
    if (dataType.trim().toLowerCase() !== 'string') period.numbers.add(value);
  }

  /** Call it once, with the time of the first point behind the periods, or else the time until which there is none. */
  end(untilMs: number): void {
    this.close(untilMs);
  }

  private close(untilMs: number): void {
    const { last } = this;
    const isGap = !last || untilMs - last.dateMs > this.sensor.expectedMs;
    for (const { period, ms } of this.partsUntil(last?.dateMs ?? 0, untilMs)) {
      if (isGap) {
        period.gaps += 1;
        period.gapMs += ms;
      } else {
        if (last.outside.includes(true)) period.outsideMs += ms;
        last.outside.forEach((isOutside, index) => {
          if (isOutside) period.outsideOf[index] = (period.outsideOf[index] ?? 0) + ms;
        });
      }
    }
  }

  /** The periods that a time meets, each with the length of what it meets. */
  private *partsUntil(fromMs: number, untilMs: number): Generator<{ period: PeriodReport; ms: number }> {
    this.leave(fromMs);
    for (let index = this.at; index < this.periods.length; index += 1) {
      const period = this.periods[index];
      if (!period || period.startMs >= untilMs) return;
      const ms = Math.min(period.endMs, untilMs) - Math.max(period.startMs, fromMs);
      if (ms > 0) yield { period, ms };
    }
  }

  private periodAt(dateMs: number): PeriodReport | undefined {
    this.leave(dateMs);
    const period = this.periods[this.at];
    return period && period.startMs <= dateMs ? period : undefined;
  }

  private leave(dateMs: number): void {
    while ((this.periods[this.at]?.endMs ?? Number.POSITIVE_INFINITY) <= dateMs) this.at += 1;
  }
}
