import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { modelsQuery } from '../../api/queries.js';
import type { Model } from '../../api/types.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { CodeBlock } from '../../parts/copy.js';
import { SelectField, TextArea } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { CustomerPicker } from '../customers/customer-picker.js';
import { Answer } from './answer.js';
import { type Question, toBody, toCurl } from './question.js';
import { useAnswer } from './use-answer.js';

const FIRST_MODEL = 'sandbox/echo-1';

const NOTHING: Question = { model: '', customerId: '', system: '', text: '' };
/** The text of each project: it is there again after a visit to another page. */
const drafts = new Map<string, Question>();

/** Asks a model as the account or as one of its customers, at the usual price. */
export function PlaygroundScreen() {
  const projectId = useProjectId();
  const [question, setQuestion] = useState<Question>(drafts.get(projectId) ?? NOTHING);
  const models = useTextModels();
  const { answer, ask, stop } = useAnswer(projectId);
  const asked = { ...question, model: question.model || pickFirst(models) };
  const change = (changes: Partial<Question>) => {
    const next = { ...question, ...changes };
    drafts.set(projectId, next);
    setQuestion(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void ask(toBody(asked), asked.customerId);
  };
  const isBusy = answer?.isOpen ?? false;
  return (
    <Page title="Playground" hint="Requests here are real: they are held, served and charged like any other.">
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card>
          <form onSubmit={submit} className="flex flex-col gap-4">
            <SelectField
              label="Model"
              value={asked.model}
              options={models.map(toModelOption)}
              onPick={(model) => change({ model })}
            />
            <CustomerPicker
              label="Ask as"
              none="The account itself"
              value={asked.customerId}
              hint="A customer pays the price of its tier, within its limit or wallet."
              onPick={(customerId) => change({ customerId })}
            />
            <TextArea
              label="Instructions"
              rows={2}
              placeholder="none"
              value={asked.system}
              onChange={(event) => change({ system: event.target.value })}
            />
            <TextArea
              label="Message"
              rows={5}
              required
              value={asked.text}
              onChange={(event) => change({ text: event.target.value })}
            />
            <footer className="flex gap-2">
              <Button type="submit" look="primary" needs="models.use" isBusy={isBusy}>
                Send
              </Button>
              {isBusy && <Button onClick={stop}>Stop</Button>}
            </footer>
          </form>
        </Card>
        <div className="flex min-w-0 flex-col gap-5">
          {answer?.error ? <Failure error={answer.error} /> : null}
          <Answer answer={answer} />
          <Card title="The same request with curl">
            <CodeBlock text={toCurl(asked)} label="request" />
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** Models that answer with text. */
function useTextModels(): Model[] {
  const { data } = useQuery(modelsQuery);
  return (data?.models ?? []).filter(
    ({ capabilities, serves }) => capabilities.includes('text') && serves === undefined,
  );
}

function pickFirst(models: readonly Model[]): string {
  return (models.find(({ model_id: id }) => id === FIRST_MODEL) ?? models[0])?.model_id ?? '';
}

function toModelOption({ model_id: id, display_name: name }: Model): [string, string] {
  return [id, `${name} (${id})`];
}
