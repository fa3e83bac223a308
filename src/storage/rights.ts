/** What the platform does with its tables, and what migrations do. */
const NEEDED = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'INDEX', 'DROP', 'REFERENCES'];

/**
 * The needed rights that are missing for a user with these lines of SHOW GRANTS. None when the user has roles, whose rights
 * are not listed there: nobody is refused for what cannot be known.
 */
export function missingRights(grants: readonly string[], database: string): string[] {
  const granted = new Set<string>();
  for (const line of grants) {
    const parts = /^GRANT (?<rights>.+?) ON (?:`(?<pattern>[^`]*)`|\*)\.\* TO /.exec(line)?.groups;
    if (!parts) {
      if (/^GRANT [`'"]/.test(line)) return [];
      continue;
    }
    if (parts.pattern !== undefined && !matches(parts.pattern, database)) continue;
    for (const right of (parts.rights ?? '').split(', ')) granted.add(right);
  }
  return granted.has('ALL PRIVILEGES') ? [] : NEEDED.filter((right) => !granted.has(right));
}

/** Names of databases in grants are patterns: `%` is any text, `_` any character, and a backslash takes that away. */
function matches(pattern: string, database: string): boolean {
  const source = pattern.replace(/\\?[\s\S]/g, (part) => {
    if (part === '%') return '.*';
    if (part === '_') return '.';
    return part.replace(/^\\(?=.)/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 's').test(database);
}
