// The main job with @tollgate/client: a new customer on a new tier asks a model, and the owner sees the usage. The test
// compiles this file as an ES module and as CommonJS.
import { type RunEvent, refreshingToken, Tollgate, TollgateError } from '@tollgate/client';

declare const process: { env: Record<string, string | undefined>; exitCode?: number };

const { BASE_URL: baseUrl = '', ACCESS_TOKEN = '', SECRET_KEY = '', PROJECT_ID = '', TIER_CODE = '' } = process.env;

async function main(): Promise<object> {
  const owner = new Tollgate({ baseUrl, credential: ACCESS_TOKEN });
  const backend = new Tollgate({ baseUrl, credential: SECRET_KEY });
  const { tier } = await owner.createTier(PROJECT_ID, {
    tier_code: TIER_CODE,
    display_name: 'Starter',
    spend_limit_cents: 500,
    models: [{ model_id: 'sandbox/echo-1', is_default: true }],
  });
  const { customer } = await backend.createCustomer({ external_id: TIER_CODE, email: 'ada@example.com' });
  let minted = 0;
  const credential = refreshingToken(() => {
    minted++;
    return backend.mintCustomerToken({ customer_id: customer.id, tier_code: tier.tier_code });
  });
  const app = backend.with({ credential });
  const input = [
    {
      type: 'message' as const,
      role: 'user' as const,
      content: [{ type: 'text' as const, text: 'What is a tollgate?' }],
    },
  ];
  const answer = await app.createResponse({ input });
  const part = answer.output[0]?.content?.[0];
  const { usage } = await app.getMyUsage();
  return {
    minted,
    text: part?.type === 'text' ? part.text : '',
    answered: answer.usage.total_tokens,
    requests: usage.requests,
    tokens: usage.tokens,
    streamed: await readStream(app, input),
    run: await followBrokenRun(app, input),
    emails: await readPages(backend),
    refusal: await readRefusal(app),
  };
}

type Input = Parameters<Tollgate['createResponse']>[0]['input'];

async function readStream(app: Tollgate, input: Input): Promise<string> {
  let text = '';
  for await (const event of app.createResponseStream({ input })) {
    if (event.type === 'update' && 'delta' in event) text += event.delta;
  }
  return text;
}

/** Follows a run over connections that break after their first event. */
async function followBrokenRun(
  app: Tollgate,
  input: Input,
): Promise<{ seqs: number[]; last: RunEvent['type'] | undefined; connections: number }> {
  let connections = 0;
  const breaking: typeof fetch = async (address, init) => {
    const response = await fetch(address, init);
    if (!String(address).includes('/events')) return response;
    connections++;
    return connections <= 3 ? breakAfterFirst(response) : response;
  };
  const nodes = [{ id: 'step', type: 'llm.responses' as const, input: { input } }];
  const outputs = [{ name: 'answer', from: 'step' }];
  const { run_id } = await app.createRun({ spec: { kind: 'workflow.v0', name: 'own client', nodes, outputs } });
  const seqs: number[] = [];
  let last: RunEvent['type'] | undefined;
  for await (const event of app.with({ fetch: breaking }).followRun(run_id)) {
    seqs.push(event.seq);
    last = event.type;
  }
  return { seqs, last, connections };
}

/** Passes one event on; the next read fails. */
function breakAfterFirst(response: Response): Response {
  const reader = response.body?.getReader();
  let isSent = false;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    if (isSent) {
      await reader?.cancel();
      return controller.error(new TypeError('terminated'));
    }
    const decoder = new TextDecoder();
    let text = '';
    while (!text.includes('\n')) {
      const piece = await reader?.read();
      if (!piece || piece.done) return controller.close();
      text += decoder.decode(piece.value, { stream: true });
    }
    isSent = true;
    controller.enqueue(new TextEncoder().encode(text.slice(0, text.indexOf('\n') + 1)));
  };
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  return new Response(body, { status: response.status, headers: response.headers });
}

async function readPages(backend: Tollgate): Promise<string[]> {
  await backend.createCustomer({ external_id: `${TIER_CODE}-2`, email: 'grace@example.com' });
  const emails: string[] = [];
  for await (const { customer } of backend.listCustomers({ limit: 1, q: TIER_CODE })) emails.push(customer.email);
  return emails.sort();
}

async function readRefusal(app: Tollgate): Promise<object> {
  try {
    await app.listRuns({ limit: -1 });
    return {};
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error;
    const { code, status, retryable, requestId } = error;
    return { code, status, retryable, hasRequestId: requestId !== undefined };
  }
}

main().then(
  (result) => console.log(JSON.stringify(result)),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
