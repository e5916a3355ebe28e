import { useCallback, useState } from 'react';

export interface PortalOptions {
  /** Default: leads this tab to the portal. */
  navigate?: ((url: string) => void) | undefined;
}

export interface Portal {
  /** Gets a link and leads the customer to the portal. A link works once, so that each call gets a new one. */
  open: () => Promise<void>;
  isOpening: boolean;
  /** Why the last call failed. */
  error: unknown;
}

interface Opening {
  isOpening: boolean;
  error: unknown;
}

/**
 * Opens the customer portal. `createLink` asks your backend, which calls `createPortalSession` with its secret key and
 * returns the answer.
 */
export function usePortal(createLink: () => Promise<{ url: string }>, options: PortalOptions = {}): Portal {
  const { navigate = leadTab } = options;
  const [state, setState] = useState<Opening>({ isOpening: false, error: undefined });
  const open = useCallback(async () => {
    setState({ isOpening: true, error: undefined });
    try {
      const { url } = await createLink();
      if (!/^https?:\/\//.test(url)) throw new TypeError('the link to the portal is not an http or https address');
      navigate(url);
      setState({ isOpening: false, error: undefined });
    } catch (error) {
      setState({ isOpening: false, error });
    }
  }, [createLink, navigate]);
  return { open, ...state };
}

function leadTab(url: string): void {
  globalThis.location.assign(url);
}
