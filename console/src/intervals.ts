interface Point {
  date: number;
  value: string;
  min?: string | undefined;
  max?: string | undefined;
}

const STATE = /^(?:true|false)$/;

/**
 * The states of an interval, so that a short one is seen: the other state first if it has both, then the last value. Other
 * values are one.
 */
export function statesOf<T extends Point>(point: T, seconds: number): T[] {
  const { date, value, min, max } = point;
  const other = value === 'true' ? min : max;
  if (other === undefined || other === value || !STATE.test(other)) return [point];
  return [
    { ...point, value: other },
    { ...point, date: date + seconds / 2 },
  ];
}
