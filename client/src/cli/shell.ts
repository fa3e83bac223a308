/** What a command needs of its process. */
export interface Shell {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream;
  stdout: { write(text: string): unknown; isTTY?: boolean };
  stderr: { write(text: string): unknown; isTTY?: boolean };
}
