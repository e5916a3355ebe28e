import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { Message } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { FormDialog } from '../../parts/dialog.js';
import { TextArea, TextField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { toAddress } from './address.js';

const EXAMPLE = '{\n  "text": "Are you there?"\n}';

/** Sends a message from the project's API, or answers one in its thread. */
export function SendMessage({ answered, onClose }: { answered?: Message; onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [to, setTo] = useState(answered?.from ?? '');
  const [subject, setSubject] = useState(answered ? toAnswer(answered.subject) : '');
  const [text, setText] = useState(EXAMPLE);
  const [fault, setFault] = useState<string>();
  const headers = useIdempotencyKey(JSON.stringify([to, subject, text]));
  const send = useAction({
    act: (body: object) =>
      call<Message>('POST', `/projects/${projectId}/messages`, {
        body: { to: toAddress(to, projectId), subject, body, ...(answered && { thread_id: answered.thread_id }) },
        headers,
      }),
    changes: [['messages', projectId]],
    done: 'Message sent',
    onDone: ({ id }) => {
      onClose();
      void navigate({ to: '/p/$projectId/messages/$messageId', params: { projectId, messageId: id } });
    },
  });
  const faults = readFieldFaults(send.error);
  const submit = () => {
    const body = readObject(text);
    setFault(body === undefined ? 'Write a JSON object, such as {"text": "Hello"}.' : undefined);
    if (body !== undefined) send.mutate(body);
  };
  return (
    <FormDialog
      title={answered ? 'Reply' : 'Send a message'}
      action="Send"
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="To"
        hint="The slug of an agent, the id of a run, or a full address."
        required
        value={to}
        fault={faults.to}
        onChange={(event) => setTo(event.target.value)}
      />
      <TextField
        label="Subject"
        required
        maxLength={1_000}
        value={subject}
        fault={faults.subject}
        onChange={(event) => setSubject(event.target.value)}
      />
      <TextArea
        label="Body"
        rows={6}
        required
        className="font-mono text-xs"
        value={text}
        fault={fault ?? faults.body}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
}

function toAnswer(subject: string): string {
  return /^re: /i.test(subject) ? subject : `Re: ${subject}`.slice(0, 1_000);
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
