import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const SHOWN_MS = 5_000;
const SHOWN_MAX = 3;

const Say = createContext<(text: string) => void>(() => undefined);

/** Returns a function that shows a short message about what has been done. */
export function useToast(): (text: string) => void {
  return useContext(Say);
}

export function Toasts({ children }: { children: ReactNode }) {
  const [texts, setTexts] = useState<readonly { id: number; text: string }[]>([]);
  const say = useCallback((text: string) => {
    setTexts((shown) => [...shown, { id: Date.now() + Math.random(), text }].slice(-SHOWN_MAX));
  }, []);
  const remove = (id: number) => setTexts((shown) => shown.filter((each) => each.id !== id));
  return (
    <Say.Provider value={say}>
      <Toast.Provider duration={SHOWN_MS}>
        {children}
        {texts.map(({ id, text }) => (
          <Toast.Root
            key={id}
            onOpenChange={(isOpen) => !isOpen && remove(id)}
            className="rounded-lg border bg-surface px-4 py-2.5 font-medium shadow-lg"
          >
            <Toast.Description>{text}</Toast.Description>
          </Toast.Root>
        ))}
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-80 max-w-[calc(100%-2rem)] flex-col gap-2 print:hidden" />
      </Toast.Provider>
    </Say.Provider>
  );
}
