import { type Allowance, TooMany } from '../platform/errors';
import type { Quota } from './quota';

export type PointQuota = Pick<Quota, 'isOn' | 'charge'>;

/** Charges points before they are stored. Throws TooMany; undefined while points are not limited. */
export async function chargePoints(quota: PointQuota, userId: number, points: number): Promise<Allowance | undefined> {
  const allowance = quota.isOn ? await quota.charge(userId, points) : undefined;
  if (!allowance?.exceeded) return allowance;
  throw new TooMany('too many data points; try again later', allowance.resetSeconds, allowance);
}
