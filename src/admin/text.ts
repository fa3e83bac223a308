/** Header and rows, in columns of minimal width. Numbers are aligned to the right. */
export function table(items: readonly Readonly<Record<string, string | number | null>>[], empty: string): string[] {
  const [first] = items;
  if (!first) return [empty];
  const columns = Object.keys(first);
  const cells = items.map((item) => columns.map((column) => String(item[column] ?? '-')));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => {
        const isNumber = typeof first[columns[index] ?? ''] === 'number';
        return isNumber ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
      })
      .join('  ')
      .trimEnd();
  return [line(columns), ...cells.map(line)];
}

/** `12.3 s`, `4 min 10 s`, `3 h 5 min`, `2 d 4 h`. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '-';
  if (seconds < 60) return `${seconds} s`;
  const units: [string, number][] = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ];
  const start = units.findIndex(([, size]) => seconds >= size);
  let left = Math.round(seconds);
  const parts = units.slice(start, start + 2).map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return `${count} ${unit}`;
  });
  return parts.filter((part) => !part.startsWith('0 ')).join(' ');
}

export function time(ms: number | null): string {
  return ms === null ? '-' : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
