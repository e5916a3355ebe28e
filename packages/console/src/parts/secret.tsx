import { Button } from './button.js';
import { CodeBlock } from './copy.js';
import { Dialog } from './dialog.js';

/** Shows a secret once. The page does not keep it. */
export function SecretDialog({
  title,
  secret,
  hint,
  onClose,
}: {
  title: string;
  secret: string;
  hint: string;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-soft">{hint}</p>
        <CodeBlock text={secret} label="secret" />
        <p className="rounded-md bg-warn-wash px-3 py-2 text-warn">Copy it now: it cannot be shown again.</p>
        <footer className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            I have copied it
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
