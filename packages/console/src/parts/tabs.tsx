import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface Tab {
  id: string;
  label: string;
  content: ReactNode;
}

/** Parts of a page, one of which is shown; the arrow keys move between them. */
export function Tabs({
  tabs,
  value,
  onChange,
}: {
  tabs: readonly Tab[];
  value: string;
  onChange: (id: string) => void;
}) {
  const current = tabs.some(({ id }) => id === value) ? value : tabs[0]?.id;
  return (
    <Radix.Root value={current ?? ''} onValueChange={onChange} className="flex flex-col gap-5">
      <Radix.List className="flex overflow-x-auto sm:gap-1 border-b">
        {tabs.map(({ id, label }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="-mb-px -outline-offset-2 border-b-2 border-transparent px-2 py-2 font-medium sm:px-3 whitespace-nowrap text-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className="flex flex-col gap-5">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
