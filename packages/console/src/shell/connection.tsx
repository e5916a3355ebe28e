import { onlineManager } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);
const read = () => onlineManager.isOnline();

/** Says above the page that the browser has no network: the figures on the page may be old. */
export function ConnectionNotice() {
  const isOnline = useSyncExternalStore(subscribe, read);
  if (isOnline) return null;
  return (
    <p role="status" className="flex items-center gap-2 bg-warn-wash px-4 py-2 text-warn print:hidden">
      <WifiOff className="size-4 shrink-0" aria-hidden /> You are offline. The page shows what was loaded before; it is
      read again once the connection is back.
    </p>
  );
}
