import type { MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AdmitRequest,
  type AdmitResponseSchema,
  BillingService,
  type ReleaseRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import {
  AudioTask,
  CompatService,
  type CreateEmbeddingsRequest,
  type CreateSpeechResponseSchema,
  type TranscribeAudioRequest,
} from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { compatibleRouter } from './index.js';

type Decision = MessageInitShape<typeof AdmitResponseSchema>;
type SpeechFrame = MessageInitShape<typeof CreateSpeechResponseSchema>;

let admits: AdmitRequest[];
let releases: ReleaseRequest[];
let superseded: string[];
let asked: (CreateEmbeddingsRequest | TranscribeAudioRequest)[];
let decision: Decision | AppError;
let failure: AppError | undefined;
let speech: () => AsyncIterable<SpeechFrame>;
let harness: RouteTest;

const admitted = (modelId: string): Decision => ({ decision: { case: 'admitted', value: { modelId } } });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

beforeAll(async () => {
  const billing = peer(BillingService, {
    admit: (req) => {
      admits.push(req);
      if (decision instanceof AppError) throw decision;
      return decision;
    },
    release: (req) => {
      releases.push(req);
      return {};
    },
  });
  const holds = peer(HoldService, {
    supersedeHolds: ({ holdIds }) => {
      superseded.push(...holdIds);
      return {};
    },
  });
  const answer = (req: (typeof asked)[number], body: string) => {
    asked.push(req);
    if (failure) throw failure;
    return { contentType: 'application/json', body: bytes(body) };
  };
  const compat = peer(CompatService, {
    createEmbeddings: (req) => answer(req, '{"object":"list"}'),
    transcribeAudio: (req) => answer(req, '{"text":"hi"}'),
    createSpeech: () => {
      if (failure) throw failure;
      return speech();
    },
  });
  harness = await startRouteTest('compatible', [compatibleRouter], [billing, holds, compat]);
});

afterAll(() => harness.stop());

beforeEach(() => {
  admits = [];
  releases = [];
  superseded = [];
  asked = [];
  failure = undefined;
  decision = admitted('sandbox/embed-1');
  speech = async function* () {
    yield { contentType: 'audio/wav', audio: bytes('so') };
    yield { contentType: 'audio/wav', audio: bytes('und'), isLast: true };
  };
});

function post(path: string, credential = harness.tenant.secretKey) {
  return request(harness.app).post(path).set('Authorization', `Bearer ${credential}`);
}

describe('POST /v1/embeddings', () => {
  const embed = (input: unknown, more: object = {}) =>
    post('/v1/embeddings').send({ model: 'sandbox/embed-1', input, ...more });

  describe('200', () => {
    it('admits by the size of every input and passes on the body verbatim', async () => {
      const res = await embed(['12345678', '1234'], { user: 'u' }).expect(200);
      expect(res.text).toBe('{"object":"list"}');
      expect(res.headers['x-request-id']).toBe(res.headers['x-service-request-id']);
      const [admit] = admits;
      expect(admit).toMatchObject({ model: 'sandbox/embed-1', maxOutputTokens: 0 });
      expect(asked).toMatchObject([
        { admission: { holdId: admit?.holdId, modelId: 'sandbox/embed-1', inputUnits: admit?.inputTokensEstimate } },
      ]);
      const [sent] = asked as [CreateEmbeddingsRequest];
      expect(JSON.parse(Buffer.from(sent.body).toString())).toMatchObject({ user: 'u', input: ['12345678', '1234'] });
    });

    it.each([
      ['one text', '12345678', 2 + 4],
      ['two texts', ['12345678', '1234'], 2 + 4 + 1 + 4],
      ['tokens', [1, 2, 3], 3],
      ['lists of tokens', [[1, 2], [3]], 3],
    ])('admits %s at its maximum cost', async (_what, input, units) => {
      await embed(input).expect(200);
      expect(admits[0]?.inputTokensEstimate).toBe(BigInt(units));
    });
  });

  describe('400', () => {
    it.each([
      ['no input', undefined, ''],
      ['an empty text', '', 'must not be empty'],
      ['an empty list', [], 'must not be empty'],
      ['too many texts', Array(2_049).fill('a'), 'more than 2048'],
      ['an empty text among others', ['a', ''], 'must not be empty'],
      ['half a token', [1.5], ''],
      ['texts and tokens', ['a', 1], ''],
    ])('answers 400 for %s in the vendor format before admission', async (_what, input, reason) => {
      const res = await embed(input).expect(400);
      expect(res.body.error.message).toContain(reason);
      expect(res.body.error).toMatchObject({ type: 'invalid_request_error', param: expect.stringMatching(/^input/) });
      expect(admits).toHaveLength(0);
    });
  });

  describe('401 and 403', () => {
    it.each([
      ['no credentials', undefined, 401, 'authentication_error'],
      ['a publishable key', 'publishableKey', 403, 'permission_error'],
      ["an owner's session", 'ownerToken', 403, 'permission_error'],
    ] as const)('answers for %s: %i', async (_who, kind, status, type) => {
      const sent = request(harness.app).post('/v1/embeddings');
      const res = await (kind ? sent.set('Authorization', `Bearer ${harness.tenant[kind]}`) : sent).send({});
      expect([res.status, res.body.error.type]).toEqual([status, type]);
    });
  });

  describe('404', () => {
    it('answers 404 for an unknown model before admission', async () => {
      const res = await embed('x', { model: 'nope' }).expect(404);
      expect(res.body.error).toMatchObject({ code: 'model_not_found', param: 'model' });
      expect(admits).toHaveLength(0);
    });
  });

  describe('400, 402 and 403 of the ledger', () => {
    it.each([
      ['WALLET_EMPTY', 402, 'insufficient_quota'],
      ['FORBIDDEN', 403, 'permission_error'],
      ['INVALID_INPUT', 400, 'invalid_request_error'],
    ])('reports the refusal %s as %i', async (code, status, type) => {
      decision = { decision: { case: 'refused', value: { code, message: 'no' } } };
      const res = await embed('x').expect(status);
      expect(res.body.error).toMatchObject({ type, code });
      expect(asked).toHaveLength(0);
    });
  });

  describe('503', () => {
    it('reports a limit of the owner to a customer as a neutral 503 with Retry-After', async () => {
      decision = { decision: { case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED', message: 'x' } } };
      const body = { model: 'sandbox/embed-1', input: 'x' };
      const res = await post('/v1/embeddings', harness.tenant.customerToken).send(body).expect(503);
      expect(res.headers).toMatchObject({ 'retry-after': '30', 'x-should-retry': 'true' });
      expect(res.text).not.toMatch(/fund|owner/i);
    });

    it('releases an admission whose response was lost', async () => {
      decision = new AppError('SERVICE_UNAVAILABLE', 'away');
      await embed('x').expect(503);
      expect(releases).toMatchObject([{ holdIds: [admits[0]?.holdId], facts: { success: false } }]);
    });
  });

  describe('a failure of the provider', () => {
    it.each([
      [new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 429, retryAfterSeconds: 5 }), 429, 'true', '5'],
      [new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 500 }), 500, 'true', '1'],
      [new AppError('PROVIDER_ERROR', 'x', { upstreamStatus: 400 }), 400, undefined, undefined],
      [new AppError('PROVIDER_TIMEOUT', 'x'), 503, 'true', '1'],
      [new AppError('UPSTREAM_PAYMENT_REQUIRED', 'x', { upstreamStatus: 429 }), 402, undefined, undefined],
    ])(
      'reports provider failure %# with its status and whether a retry may help',
      async (error, status, retry, after) => {
        failure = error;
        const res = await embed('x').expect(status);
        expect([res.headers['x-should-retry'], res.headers['retry-after']]).toEqual([retry, after]);
        expect(res.headers['request-id']).toBe(res.headers['x-service-request-id']);
      },
    );
  });
});

describe('POST /v1/audio/speech', () => {
  const speak = (more: object = {}) =>
    post('/v1/audio/speech').send({ model: 'sandbox/speech-1', input: 'héllo', voice: 'alloy', ...more });

  describe('200', () => {
    it('admits by characters and streams the audio', async () => {
      const res = await speak().buffer(true).parse(collect).expect(200);
      expect([res.headers['content-type'], String(res.body)]).toEqual(['audio/wav', 'sound']);
      expect(admits).toMatchObject([{ inputTokensEstimate: 5n }]);
    });

    it.each([
      ['breaks', new AppError('PROVIDER_ERROR', 'gone')],
      ['ends without saying so', undefined],
    ])('does not complete a response that %s', async (_what, error) => {
      speech = async function* () {
        yield { contentType: 'audio/wav', audio: bytes('so') };
        if (error) throw error;
      };
      await expect(speak().buffer(true).parse(collect)).rejects.toThrow();
    });
  });

  describe('200 with events', () => {
    it('sends each frame as the data of an event', async () => {
      speech = async function* () {
        yield { contentType: 'text/event-stream', audio: bytes('{"type":"speech.audio.delta","audio":"AAAA"}') };
        yield { audio: bytes('{"type":"speech.audio.done"}'), isLast: true };
      };
      const res = await speak({ stream_format: 'sse' }).expect(200);
      expect(res.headers['content-type']).toContain('text/event-stream');
      expect(res.text).toBe(
        'data: {"type":"speech.audio.delta","audio":"AAAA"}\n\ndata: {"type":"speech.audio.done"}\n\n',
      );
    });

    it('ends a broken stream in an error of the dialect', async () => {
      speech = async function* () {
        yield { contentType: 'text/event-stream', audio: bytes('{"type":"speech.audio.delta","audio":"AAAA"}') };
        throw new AppError('PROVIDER_ERROR', 'gone');
      };
      const res = await speak({ stream_format: 'sse' }).expect(200);
      const last = JSON.parse(res.text.trim().split('\n\n').at(-1)!.slice('data: '.length));
      expect(last).toMatchObject({ error: { type: 'server_error' } });
    });
  });

  describe('400', () => {
    it.each([{ input: '' }, { input: 'x'.repeat(4097) }, { voice: undefined }, { speed: 9 }, { stream_format: 'x' }])(
      'rejects %j',
      async (more) => {
        await speak(more).expect(400);
        expect(admits).toHaveLength(0);
      },
    );
  });

  describe('503', () => {
    it('answers with a plain error before the first chunk', async () => {
      failure = new AppError('PROVIDER_TIMEOUT', 'slow');
      expect((await speak().expect(503)).body.error.type).toBe('server_error');
    });
  });
});

describe.each([
  ['/v1/audio/transcriptions', AudioTask.TRANSCRIBE],
  ['/v1/audio/translations', AudioTask.TRANSLATE],
])('POST %s', (path, task) => {
  const send = (fields: Record<string, string> = {}) => {
    const sent = post(path).field('model', 'sandbox/transcribe-1');
    for (const [name, value] of Object.entries(fields)) sent.field(name, value);
    return sent;
  };
  const file = Buffer.alloc(2_500);

  it('admits by the size of the recording and passes on form and file', async () => {
    const fields = { prompt: 'names', response_format: 'text' };
    const named = { filename: 'memo.wav', contentType: 'audio/wav' };
    const res = await send(fields).attach('file', file, named).expect(200);
    expect(res.text).toBe('{"text":"hi"}');
    expect(admits).toMatchObject([{ model: 'sandbox/transcribe-1', inputTokensEstimate: 3n }]);
    expect(asked).toMatchObject([
      {
        task,
        filename: 'memo.wav',
        mimeType: 'audio/wav',
        fields: [
          { name: 'prompt', value: 'names' },
          { name: 'response_format', value: 'text' },
        ],
      },
    ]);
    expect((asked[0] as TranscribeAudioRequest).audio).toHaveLength(2_500);
  });

  it('rejects a form without a file, another body, and fields of the wrong type', async () => {
    expect((await send().expect(400)).body.error.param).toBe('file');
    await send().attach('recording', file, 'memo.wav').expect(400);
    await send({ temperature: 'warm' }).attach('file', file, 'memo.wav').expect(400);
    await send({ response_format: 'docx' }).attach('file', file, 'memo.wav').expect(400);
    await post(path).attach('file', file, 'memo.wav').expect(400);
    await post(path).send({ model: 'sandbox/transcribe-1' }).expect(400);
    expect(admits).toHaveLength(0);
  });

  it('rejects a file that is too large', async () => {
    const res = await send().attach('file', Buffer.alloc(26 * 1024 * 1024), 'memo.wav');
    expect([res.status, res.body.error.type]).toEqual([413, 'invalid_request_error']);
  });
});

function collect(answer: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const res = answer as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  res.on('data', (chunk: Buffer) => chunks.push(chunk));
  res.on('end', () => done(null, Buffer.concat(chunks)));
}

describe('Idempotency-Key', () => {
  const form = { model: 'sandbox/transcribe-1' };
  const recording = (path: string) => post(path).field(form).attach('file', Buffer.from('RIFF'), 'a.wav');
  it.each<[string, () => request.Test]>([
    ['embeddings', () => post('/v1/embeddings').send({ model: 'sandbox/embed-1', input: 'x' })],
    ['speech', () => post('/v1/audio/speech').send({ model: 'sandbox/speech-1', input: 'x', voice: 'alloy' })],
    ['transcriptions', () => recording('/v1/audio/transcriptions')],
    ['translations', () => recording('/v1/audio/translations')],
  ])('supersedes on %s the attempt whose response was lost', async (name, ask) => {
    const send = () => ask().set('Idempotency-Key', `lost-${name}`);
    failure = new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable');
    expect((await send()).status).toBe(503);
    failure = undefined;
    expect((await send()).status).toBe(200);
    expect(new Set(superseded)).toEqual(new Set([admits[0]?.holdId]));
  });
});
