/**
 * The parameters of CSV that a spreadsheet reads: dates in a time zone, a byte order mark, and semicolons with decimal
 * commas if the language uses them. The language is the browser's by default.
 */
export function spreadsheetQuery(zone: string, language?: string): string {
  const decimal = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal');
  const separator = decimal?.value === ',' ? '&separator=semicolon' : '';
  return `dates=local&timezone=${encodeURIComponent(zone)}&bom=1${separator}`;
}
