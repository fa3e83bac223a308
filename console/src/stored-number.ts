const stored = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 15 });

/** A stored number with all its digits; without the noise of a device that has 32 bits for it, `31.200000762939453` for instance. */
export function formatStored(number: number): string {
  const short = Number(number.toPrecision(7));
  return stored.format(Math.fround(short) === number ? short : number);
}
