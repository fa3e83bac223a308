/** Characters of a line in an example on a laptop. */
const MAX_LINE = 50;

export function compactJson(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (line.length + indent.length <= MAX_LINE || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => compactJson(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${compactJson(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${oneLine(item)}`);
  return `{${fields.join(', ')}}`;
}
