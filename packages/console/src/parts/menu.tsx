import type { Permission } from '@tollgate/api/identity';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { usePermissions } from '../shell/role.js';

export interface MenuItem {
  label: string;
  onPick: () => void;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Left out for roles that lack it. */
  needs?: Permission;
}

/** Buttons behind a button. Not modal: a modal one blocks scrolling with a style element, which the policy forbids. */
export function Menu({ trigger, items }: { trigger: ReactNode; items: readonly MenuItem[] }) {
  const may = usePermissions();
  const opener = useRef<HTMLButtonElement>(null);
  const permitted = items.filter(({ needs }) => may(needs));
  if (permitted.length === 0) return null;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger ref={opener} asChild>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-40 max-h-80 min-w-44 overflow-auto rounded-lg border bg-surface p-1 shadow-lg"
        >
          {permitted.map(({ label, onPick, isDanger = false, isDisabled = false }) => (
            <DropdownMenu.Item
              key={label}
              disabled={isDisabled}
              onSelect={() => {
                // A dialog that the item opens returns the focus to the element that has it now.
                opener.current?.focus();
                onPick();
              }}
              className={`cursor-pointer rounded px-2.5 py-1.5 outline-none data-disabled:opacity-50 data-highlighted:bg-raised ${isDanger ? 'text-bad' : ''}`}
            >
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
