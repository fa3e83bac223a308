import { LOCALE } from './language';

const stored = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 15 });

/** A stored number with all its digits, without the noise of a 32-bit device, for example `31.200000762939453`. */
export function formatStored(number: number): string {
  const short = Number(number.toPrecision(7));
  return stored.format(Math.fround(short) === number ? short : number);
}
