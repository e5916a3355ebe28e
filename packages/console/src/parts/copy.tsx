import { Check, Copy as CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { Scrolling } from './scrolling.js';

const SHOWN_MS = 1_500;

/** A button that copies the text. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const Icon = isCopied ? Check : CopyIcon;
  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={isCopied ? 'Copied' : label}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded text-soft hover:bg-raised hover:text-ink"
    >
      <Icon className="size-3.5" aria-hidden />
    </button>
  );
}

/** An id that can be copied. `isShort` shows its first characters. */
export function Id({ value, isShort = false }: { value: string; isShort?: boolean }) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code className="truncate font-mono text-xs" title={value}>
        {isShort ? value.slice(0, 8) : value}
      </code>
      <CopyButton text={value} label={`Copy ${value}`} />
    </span>
  );
}

/** Text in a fixed pitch that can be copied. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="relative rounded-md border bg-raised">
      <Scrolling label={label} className="max-h-96">
        <pre className="p-3 pr-10 font-mono text-xs leading-relaxed">{text}</pre>
      </Scrolling>
      <span className="absolute top-2 right-2">
        <CopyButton text={text} label={`Copy ${label}`} />
      </span>
    </div>
  );
}

export function Json({ value, label }: { value: unknown; label: string }) {
  return <CodeBlock text={JSON.stringify(value, null, 2) ?? 'undefined'} label={label} />;
}
