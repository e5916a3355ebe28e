import { X } from 'lucide-react';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FIRST_KEY, type KeyDraft } from './connection-draft.js';

/** As many as the API takes. */
const KEYS_MAX = 16;

interface KeyRowsProps {
  keys: readonly KeyDraft[];
  fault: string | undefined;
  isRequired: boolean;
  onChange: (keys: readonly KeyDraft[]) => void;
}

/** The keys of a connection; several share the requests. */
export function KeyRows({ keys, fault, isRequired, onChange }: KeyRowsProps) {
  const change = (id: number, changes: Partial<KeyDraft>) =>
    onChange(keys.map((key) => (key.id === id ? { ...key, ...changes } : key)));
  const isOnly = keys.length === 1;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Keys</legend>
      {keys.map(({ id, secret, share }, index) => (
        <div key={id} className="flex items-end gap-2">
          <div className="flex-1">
            <TextField
              label={isOnly ? 'Key' : `Key ${index + 1}`}
              type="password"
              autoComplete="new-password"
              required={isRequired}
              value={secret}
              fault={index === 0 ? fault : undefined}
              onChange={(event) => change(id, { secret: event.target.value })}
            />
          </div>
          {!isOnly && (
            <>
              <div className="w-20">
                <TextField
                  label={`Share ${index + 1}`}
                  inputMode="numeric"
                  pattern="[1-9][0-9]{0,2}|1000"
                  value={share}
                  onChange={(event) => change(id, { share: event.target.value })}
                />
              </div>
              <Button
                look="quiet"
                className="px-2"
                aria-label={`Remove key ${index + 1}`}
                onClick={() => onChange(keys.filter((key) => key.id !== id))}
              >
                <X className="size-4" aria-hidden />
              </Button>
            </>
          )}
        </div>
      ))}
      <p className="text-xs text-soft">
        Stored encrypted; only the last four characters are shown again. Several keys share the requests.
      </p>
      <div>
        <Button
          disabled={keys.length >= KEYS_MAX}
          onClick={() => onChange([...keys, { ...FIRST_KEY, id: Math.max(...keys.map(({ id }) => id)) + 1 }])}
        >
          Add a key
        </Button>
      </div>
    </fieldset>
  );
}
