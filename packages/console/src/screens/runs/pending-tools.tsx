import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, get } from '../../api/client.js';
import type { PendingTools } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { CodeBlock } from '../../parts/copy.js';
import { TextArea } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';

type PendingNode = PendingTools['pending'][number];

/** Tool calls that wait for results from a client, and a form that answers them. */
export function PendingToolCalls({ path, status }: { path: string; status: string }) {
  const { data } = useQuery({
    queryKey: ['run-pending', path, status],
    queryFn: ({ signal }) => get<PendingTools>(`${path}/pending-tools`, {}, signal),
  });
  return data?.pending.map((node) => (
    <AnswerTools key={`${node.node_id} ${node.step} ${node.request_id}`} path={path} node={node} />
  ));
}

/** All calls of a step are answered together. */
function AnswerTools({ path, node }: { path: string; node: PendingNode }) {
  const [outputs, setOutputs] = useState<Readonly<Record<string, string>>>({});
  const answer = useAction({
    act: () =>
      call('POST', `${path}/tool-results`, {
        body: {
          node_id: node.node_id,
          step: node.step,
          request_id: node.request_id,
          results: node.tool_calls.map(({ tool_call_id: id, name }) => ({
            tool_call_id: id,
            name,
            output: outputs[id] ?? '',
          })),
        },
      }),
    changes: [['run'], ['run-pending']],
    done: 'Results sent',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer.mutate();
  };
  return (
    <Card title={`${node.node_id} waits for its tools`}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {node.tool_calls.map(({ tool_call_id: id, name, arguments: given }) => (
          <div key={id} className="grid gap-4 md:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-1">
              <h3 className="font-medium">{name}</h3>
              <CodeBlock text={indent(given)} label={`arguments of ${name}`} />
            </div>
            <TextArea
              label={`Result of ${name}`}
              rows={4}
              required
              spellCheck={false}
              className="font-mono text-xs"
              hint="Text or JSON, as the tool would return it."
              value={outputs[id] ?? ''}
              onChange={({ target: { value } }) => setOutputs((before) => ({ ...before, [id]: value }))}
            />
          </div>
        ))}
        {answer.error && <Failure error={answer.error} />}
        <footer>
          <Button type="submit" look="primary" needs="models.use" isBusy={answer.isPending}>
            Send the results
          </Button>
        </footer>
      </form>
    </Card>
  );
}

/** A model may write arguments that are no JSON. */
function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
