/** A path of the OpenAPI document, such as `/sensors/{id}`. */
export interface DocumentPath {
  path: string;
  /** Matches actual paths, with the variables as groups. */
  pattern: RegExp;
  methods: readonly string[];
}

/** The paths of the document, those with fewer variables first, because they take precedence. */
export function readPaths(paths: Readonly<Record<string, object>>): DocumentPath[] {
  const variables = ({ path }: DocumentPath) => path.split('{').length;
  return Object.entries(paths)
    .map(([path, operations]) => ({
      path,
      pattern: new RegExp(`^${path.replace(/[.+*?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '([^/]+)')}$`),
      methods: Object.keys(operations).map((method) => method.toUpperCase()),
    }))
    .sort((a, b) => variables(a) - variables(b));
}
