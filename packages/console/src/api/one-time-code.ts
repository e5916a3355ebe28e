import { useState } from 'react';

/** By page. In memory, so that the page still has its code after the user has signed in. */
const codes = new Map<string, string>();

/** The code in the fragment of a link from a mail. It is removed from the address, and so from the history. */
export function useOneTimeCode(): string {
  const [code] = useState(() => {
    const { hash, pathname, search } = location;
    if (hash.length > 1) {
      codes.set(pathname, hash.slice(1));
      history.replaceState(history.state, '', pathname + search);
    }
    return codes.get(pathname) ?? '';
  });
  return code;
}
