/** Maximum size of one description, and of all of a source, as JSON with the topic, in bytes. */
const MAX_DESCRIPTION_BYTES = 131_072;
const MAX_DESCRIBED_BYTES = 524_288;

/** What a message says about a topic, as JSON; null if nothing any more. */
export interface Description {
  topic: string;
  content: string | null;
}

export class Descriptions<T extends object> {
  private readonly known = new Map<string, { value: T; bytes: number }>();
  private bytes = 0;

  get(topic: string): T | undefined {
    return this.known.get(topic)?.value;
  }

  get topics(): string[] {
    return [...this.known.keys()];
  }

  /** Returns the change, if any. A description beyond the limits is left out and forgotten. */
  put(topic: string, value: T | undefined): { change: Description | undefined; isLeftOut: boolean } {
    const given = value && JSON.stringify(value);
    const before = this.known.get(topic);
    if (given === (before && JSON.stringify(before.value))) return { change: undefined, isLeftOut: false };
    this.bytes -= before?.bytes ?? 0;
    this.known.delete(topic);
    const isKept = given !== undefined && this.add(topic, given);
    const isChanged = isKept || before !== undefined;
    return {
      change: isChanged ? { topic, content: isKept ? given : null } : undefined,
      isLeftOut: given !== undefined && !isKept,
    };
  }

  add(topic: string, content: string): boolean {
    const bytes = Buffer.byteLength(topic) + Buffer.byteLength(content);
    if (bytes > MAX_DESCRIPTION_BYTES || this.bytes + bytes > MAX_DESCRIBED_BYTES) return false;
    // Parsed again, because parts of a text keep all of it in memory.
    this.known.set(topic, { value: JSON.parse(content), bytes });
    this.bytes += bytes;
    return true;
  }
}
