/** Downloads what was made here. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[/\\]/g, '-');
  link.click();
  URL.revokeObjectURL(link.href);
}
