/** What may stand in a query in addition to metrics. */
const WORDS = new Set(['by', 'without', 'on', 'and', 'or', 'unless', 'offset', 'bool', 'ignoring', 'group_left']);
/** What Prometheus itself records about each target. */
const OWN = ['up'];

/** The metrics that a query in the language of Prometheus names. */
export function metricsIn(query: string): string[] {
  const bare = query
    .replace(/"[^"]*"/g, ' ')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ');
  const names = [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)].map(([name]) => name);
  return [...new Set(names.filter((name) => !WORDS.has(name)))];
}

/** The metrics that a page of metrics describes, with the series of histograms. */
export function metricsOn(page: string): Set<string> {
  const names = new Set(OWN);
  for (const [, name = '', type] of page.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    if (type !== 'histogram' && type !== 'summary') names.add(name);
    else for (const suffix of ['_bucket', '_sum', '_count']) names.add(name + suffix);
  }
  return names;
}
