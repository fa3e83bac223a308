/** The rights that the platform and its migrations need. */
const NEEDED = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'INDEX', 'DROP', 'REFERENCES'];

/**
 * The missing rights of a user with these lines of SHOW GRANTS. Empty if the user has roles, whose rights are not
 * listed there: an unknown right does not prevent a start.
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

/** Database names in grants are patterns: `%` is any text, `_` any character, and a backslash escapes them. */
function matches(pattern: string, database: string): boolean {
  const source = pattern.replace(/\\?[\s\S]/g, (part) => {
    if (part === '%') return '.*';
    if (part === '_') return '.';
    return part.replace(/^\\(?=.)/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 's').test(database);
}
