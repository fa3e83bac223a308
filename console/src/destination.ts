/** What people call a destination: the name of a browser, otherwise the address. Endpoints of browsers say nothing. */
export function nameOf({ type, destination, name }: { type: string; destination: string; name?: string }): string {
  if (type !== 'push') return destination;
  return name || `a browser, by ${new URL(destination).host}`;
}
