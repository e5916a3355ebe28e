// Bedrock's adapters over HTTP, against a server that answers as AWS documents.

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/runtime';
import { type AmazonEvent, toAmazonFrames } from '../../testing/amazon-frames.js';
import { fixture } from '../../testing/fixtures.js';
import { Recorder } from '../../testing/stream-player.js';
import { openTestConnection } from '../../testing/test-connection.js';
import type { OpenConnection } from '../connections/open-connection.js';
import type { EmbeddingCall } from '../contract/media-provider.js';
import type { ModelCall } from '../contract/provider.js';

let server: Server;
let connection: OpenConnection;
let requests: { path: string; body: JsonObject }[] = [];
let respond: (res: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      requests.push({ path: req.url!, body: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject });
      respond(res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const auth = { type: 'aws', region: 'us-east-1' } as const;
  connection = openTestConnection({ preset: 'bedrock', base_url, auth, keys: [{ access_key_id: 'A', secret: 'S' }] });
});
afterEach(() => {
  requests = [];
});
afterAll(async () => {
  await connection.models.close();
  server.close();
});

function toCall(isStream: boolean, more: Partial<ModelCall> = {}): ModelCall {
  const message = { role: 'user', content: [{ type: 'text', text: 'hi' }], toolCalls: [], toolCallId: undefined };
  const request = { messages: [message], tools: [], stop: [] };
  return {
    ...{
      requestId: 'r',
      accountId: 'a',
      holdId: 'h',
      upstreamModel: 'us.amazon.nova-2-lite-v1:0',
      modelId: 'acme/nova',
    },
    ...{ reasons: false, isStream, maxOutputTokens: 9, request: () => request, input: () => ({ messages: [] }) },
    ...{ encode: JSON.stringify, forward: undefined },
    ...more,
  } as unknown as ModelCall;
}

function run(call: ModelCall): Promise<Recorder> {
  return new Promise((resolve) => {
    const recorder = new Recorder();
    const onAnswer = recorder.onAnswer.bind(recorder);
    const onFailure = recorder.onFailure.bind(recorder);
    recorder.onAnswer = (answer) => {
      onAnswer(answer);
      resolve(recorder);
    };
    recorder.onFailure = (failure) => {
      onFailure(failure);
      resolve(recorder);
    };
    connection.models.start(call, recorder);
  });
}

describe('Converse', () => {
  it('answers plain', async () => {
    respond = (res) => res.setHeader('content-type', 'application/json').end(fixture('bedrock', 'converse-text.json'));
    const { answer } = await run(toCall(false));
    expect(answer?.text).toBe('Grüße, 世界 👋');
    expect(requests).toEqual([
      {
        path: '/model/us.amazon.nova-2-lite-v1%3A0/converse',
        body: { messages: [{ role: 'user', content: [{ text: 'hi' }] }], inferenceConfig: { maxTokens: 9 } },
      },
    ]);
  });

  it('answers as a stream', async () => {
    const events = JSON.parse(fixture('bedrock', 'text.events.json')) as AmazonEvent[];
    respond = (res) => res.setHeader('content-type', 'application/vnd.amazon.eventstream').end(toAmazonFrames(events));
    const { text, usage, answer } = await run(toCall(true));
    expect([text, answer?.stopReason, usage?.inputTokens]).toEqual(['Grüße, 世界 👋', 'stop', 1097]);
    expect(requests[0]!.path).toBe('/model/us.amazon.nova-2-lite-v1%3A0/converse-stream');
  });

  it('fails with the words of AWS', async () => {
    respond = (res) =>
      res
        .writeHead(400, { 'x-amzn-errortype': 'ValidationException', 'x-amzn-requestid': 'amz-7' })
        .end('{"message":"The provided model identifier is invalid."}');
    expect((await run(toCall(true))).failure).toMatchObject({
      code: 'PROVIDER_ERROR',
      detail: 'The provided model identifier is invalid.',
      providerRequestId: 'amz-7',
      upstreamStatus: 400,
    });
  });

  it('cuts the connection when the caller leaves', async () => {
    const events = JSON.parse(fixture('bedrock', 'text.events.json')) as AmazonEvent[];
    const closed = new Promise<void>((resolve) => {
      respond = (res) => {
        res.on('close', resolve);
        res.setHeader('content-type', 'application/vnd.amazon.eventstream').write(toAmazonFrames(events.slice(0, 7)));
      };
    });
    const recorder = new Recorder();
    const arrived = new Promise<void>((resolve) => {
      recorder.onText = () => resolve();
    });
    const exchange = connection.models.start(toCall(true), recorder);
    await arrived;
    expect(exchange.abort()).toBe(true);
    await closed;
    expect(recorder.failure).toBeUndefined();
  });

  it('converts the dialect of Anthropic for other models only', () => {
    const { converts } = connection.models;
    expect(converts?.({ upstreamModel: 'us.amazon.nova-pro-v1:0', modelId: 'm' })).toBe(true);
    expect(converts?.({ upstreamModel: 'us.anthropic.claude-opus-5-v1:0', modelId: 'm' })).toBe(false);
  });
});

describe('embeddings', () => {
  function embed(upstreamModel: string, body: JsonObject): Promise<JsonObject> {
    const call = { requestId: 'r', accountId: 'a', holdId: 'h', upstreamModel, modelName: 'mine', meteredIn: 'tokens' };
    const signal = new AbortController().signal;
    const answer = connection.media!.embed({ ...call, signal, body } as unknown as EmbeddingCall);
    return answer.then(({ body: bytes, usage }) => ({ ...JSON.parse(Buffer.from(bytes).toString()), used: usage }));
  }

  it('asks Titan for one text at a time, and counts them together', async () => {
    respond = (res) => res.end('{"embedding":[0.5,1],"inputTextTokenCount":3}');
    const answer = await embed('amazon.titan-embed-text-v2:0', { input: ['a', 'b'], dimensions: 256 });
    expect(answer).toEqual({
      object: 'list',
      model: 'mine',
      data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: [0.5, 1] })),
      usage: { prompt_tokens: 6, total_tokens: 6 },
      used: { inputUnits: 6, outputUnits: 0, isEstimated: false },
    });
    expect(requests.map(({ body }) => body.inputText).sort()).toEqual(['a', 'b']);
    expect(requests[0]).toMatchObject({
      path: '/model/amazon.titan-embed-text-v2%3A0/invoke',
      body: { dimensions: 256 },
    });
  });

  it('counts texts of Cohere by a header', async () => {
    respond = (res) =>
      res
        .setHeader('x-amzn-bedrock-input-token-count', '5')
        .end('{"embeddings":{"float":[[1],[2]]},"response_type":"embeddings_by_type"}');
    const answer = await embed('eu.cohere.embed-v4:0', { input: ['a', 'b'] });
    expect(answer.used).toEqual({ inputUnits: 5, outputUnits: 0, isEstimated: false });
    expect(requests[0]!.body).toEqual({ texts: ['a', 'b'], input_type: 'search_document', embedding_types: ['float'] });
  });

  it.each([
    ['tokens instead of texts', { input: [[1, 2]] }, 'input'],
    ['more texts than a request takes', { input: Array.from({ length: 97 }, () => 'a') }, 'input'],
    ['a size that the model does not have', { input: 'a', dimensions: 5 }, 'dimensions'],
  ])('refuses %s', async (_, body, field) => {
    await expect(embed('amazon.titan-embed-text-v1', body)).rejects.toMatchObject({
      code: 'MODEL_CAPABILITY_UNSUPPORTED',
      fields: [expect.objectContaining({ field })],
    });
    expect(requests).toEqual([]);
  });
});
