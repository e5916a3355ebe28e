import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';

const QUESTION = 'Leave this page? What you have typed is not saved.';

/**
 * Asks before a page is left whose input has changed and is not saved; the browser asks when the tab is closed. Does not ask when a page
 * replaces its address, as it does after it was saved. Returns a function that says that the input is saved.
 */
export function useUnsavedInput(input: unknown): () => void {
  const text = JSON.stringify(input);
  const [saved, setSaved] = useState(text);
  const isUnsaved = text !== saved;
  useBlocker({
    shouldBlockFn: ({ action }) => isUnsaved && action !== 'REPLACE' && !window.confirm(QUESTION),
    enableBeforeUnload: isUnsaved,
  });
  return () => setSaved(text);
}
