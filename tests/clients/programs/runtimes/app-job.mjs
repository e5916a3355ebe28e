// An app's part of the main job, in any runtime: nothing here but the client and what every runtime has.
import { Tollgate, TollgateError, verifyWebhook } from '@tollgate/client';

export async function doAppJob({ baseUrl, token, input, delivery }) {
  const app = new Tollgate({ baseUrl, credential: token });
  const answer = await app.createResponse({ input });
  const { usage } = await app.getMyUsage();
  let streamed = '';
  for await (const event of app.createResponseStream({ input })) {
    if (event.type === 'update' && 'delta' in event) streamed += event.delta;
  }
  const nodes = [{ id: 'step', type: 'llm.responses', input: { input } }];
  const outputs = [{ name: 'answer', from: 'step' }];
  const { run_id } = await app.createRun({ spec: { kind: 'workflow.v0', name: 'runtime', nodes, outputs } });
  const seqs = [];
  for await (const { seq } of app.followRun(run_id)) seqs.push(seq);
  const event = await verifyWebhook(delivery);
  return {
    ...{ text: answer.output[0].content[0].text, streamed, seqs, event: event.event_type },
    ...{ answered: answer.usage.total_tokens, requests: usage.requests, tokens: usage.tokens },
    refusal: await app.listRuns({ limit: -1 }).then(
      () => undefined,
      (error) => error instanceof TollgateError && { status: error.status, hasId: error.requestId !== undefined },
    ),
    runs: (await app.listRuns({ limit: 1 }).toArray()).length,
  };
}
