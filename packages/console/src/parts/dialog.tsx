import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { Button } from './button.js';
import { classes } from './classes.js';
import { Failure } from './states.js';

const FIELD = 'input:not([type=hidden], [readonly]), select, textarea';

interface ModalOptions {
  /** Without it, a click outside does nothing: it would lose what is typed. */
  onClickOutside?: () => void;
}

/**
 * Opens a modal dialog with the focus on its first field; without one, on the first button of its form, which cancels. When it is
 * removed, the focus returns to the element that had it. The browser alone would choose the first button, and `autoFocus` comes too early.
 */
export function useModal({ onClickOutside }: ModalOptions = {}): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  const clickOutside = useRef(onClickOutside);
  clickOutside.current = onClickOutside;
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.showModal();
    // A dialog is the target of clicks around it.
    dialog?.addEventListener('click', ({ target }) => target === dialog && clickOutside.current?.());
    const first = dialog?.querySelector<HTMLElement>(`:is(${FIELD}):enabled`);
    (first ?? dialog?.querySelector<HTMLElement>('form footer button'))?.focus();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return ref;
}

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isWide?: boolean;
}

/**
 * A modal dialog of the platform, which keeps the focus and closes with Escape. It needs no style elements, which the
 * content security policy forbids.
 */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const ref = useModal();
  const id = useId();
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={onClose}
      onClose={onClose}
      className={classes(
        'm-auto max-h-[90dvh] w-[calc(100%-2rem)] overflow-auto rounded-xl border bg-surface shadow-xl',
        isWide ? 'max-w-3xl' : 'max-w-md',
      )}
    >
      <header className="flex items-center justify-between border-b px-4 py-2.5">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <Button look="quiet" aria-label="Close" className="-mr-2 px-2" onClick={onClose}>
          <X className="size-4" aria-hidden />
        </Button>
      </header>
      <div className="p-4">{children}</div>
    </dialog>
  );
}

export interface FormDialogProps extends DialogProps {
  action: string;
  isDanger?: boolean;
  isBusy: boolean;
  error: unknown;
  onSubmit: () => void;
}

/** A dialog with a form and one action. */
export function FormDialog({ action, isDanger, isBusy, error, onSubmit, children, ...dialog }: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog {...dialog}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {children}
        {error ? <Failure error={error} /> : null}
        <footer className="flex justify-end gap-2">
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" look={isDanger ? 'danger' : 'primary'} isBusy={isBusy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
