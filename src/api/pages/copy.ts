/** Adds a button to each text with `data-copy`, which is the button's text, and `data-copied`, its text afterwards. */
export const COPY = `for (const text of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain small-button';
  button.textContent = text.dataset.copy;
  button.addEventListener('click', async () => {
    getSelection().selectAllChildren(text);
    const isCopied = await navigator.clipboard?.writeText(text.textContent).then(() => true, () => false);
    if (isCopied || document.execCommand('copy')) button.textContent = text.dataset.copied;
  });
  text.after(button);
}
`;
