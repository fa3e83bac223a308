export interface LeftOutRow {
  reason: string;
  count: number;
  examples: readonly string[];
}

const EXAMPLES = 3;

/** What an import does not carry over, counted by reason. */
export class LeftOut {
  private readonly byReason = new Map<string, { count: number; examples: string[] }>();

  add(reason: string, example: string, count = 1): void {
    const known = this.byReason.get(reason) ?? { count: 0, examples: [] };
    known.count += count;
    if (known.examples.length < EXAMPLES && !known.examples.includes(example)) known.examples.push(example);
    this.byReason.set(reason, known);
  }

  rows(): LeftOutRow[] {
    return [...this.byReason].map(([reason, { count, examples }]) => ({ reason, count, examples }));
  }
}
