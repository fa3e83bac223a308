/** Offers a file, made in the browser, as a download. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[/\\]/g, '-');
  link.click();
  URL.revokeObjectURL(link.href);
}
