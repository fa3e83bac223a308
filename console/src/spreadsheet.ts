/**
 * The parameters of CSV that a spreadsheet reads: dates in a time zone, a byte order mark, and semicolons with decimal
 * commas if the language uses them. The language is the browser's by default.
 */
export function spreadsheetQuery(zone: string, language?: string): string {
  const separator = hasDecimalComma(language) ? '&separator=semicolon' : '';
  return `dates=local&timezone=${encodeURIComponent(zone)}&bom=1${separator}`;
}

export function hasDecimalComma(language?: string): boolean {
  return (0.5).toLocaleString(language).includes(',');
}
