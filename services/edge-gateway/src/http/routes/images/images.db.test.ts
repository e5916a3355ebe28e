import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { imageGenerationResult, storedImage } from '@tollgate/api/model-requests';
import {
  type AdmitRequest,
  type AdmitResponseSchema,
  BillingService,
  MeteredKind,
  type ReleaseRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { type GenerateImagesRequest, ImageService } from '@tollgate/contracts/inference/v1/images_pb.js';
import { AppError } from '@tollgate/errors';
import { waitUntil } from '@tollgate/testkit';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { imageRouter } from './index.js';

const expiresAt = new Date(Date.now() + 3_600_000);
const image = { id: randomUUID(), fileToken: 'secret-token', expiresAt: timestampFromDate(expiresAt) };
let decision: MessageInitShape<typeof AdmitResponseSchema>['decision'];
let failure: AppError | undefined;
let admits: AdmitRequest[] = [];
let asked: GenerateImagesRequest[] = [];
let releases: ReleaseRequest[] = [];
let superseded: string[] = [];
/** Runs while the ledger decides. */
let whileAdmitting: () => void | Promise<void> = () => undefined;
let harness: RouteTest;

const peers = [
  peer(BillingService, {
    admit: async (req) => {
      admits.push(req);
      await whileAdmitting();
      return { decision };
    },
    getTier: () => ({ tier: { tierCode: 'free', models: [{ modelId: 'sandbox/echo-1', isDefault: true }] } }),
    release: (req) => {
      releases.push(req);
      return {};
    },
  }),
  peer(HoldService, {
    supersedeHolds: ({ holdIds }) => {
      superseded.push(...holdIds);
      return {};
    },
  }),
  peer(ImageService, {
    generateImages: (req) => {
      asked.push(req);
      if (failure) throw failure;
      const entry = req.isStored ? { ...image, mimeType: 'image/png' } : { id: image.id, bytes: Buffer.from('png') };
      return {
        model: req.modelName,
        data: Array.from({ length: req.count }, () => ({ mimeType: 'image/png', ...entry })),
      };
    },
    getImage: () => {
      if (failure) throw failure;
      return { image };
    },
    pinImage: ({ pinned }) => ({ image: pinned ? { ...image, pinned, expiresAt: undefined } : image }),
    readImageFile: ({ fileToken }) => {
      if (failure) throw failure;
      if (fileToken !== image.fileToken) throw new AppError('NOT_FOUND', 'image not found');
      return { bytes: Buffer.from('png'), mimeType: 'image/png', expiresAt: image.expiresAt };
    },
  }),
];

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [imageRouter], peers, {
    env: { PUBLIC_BASE_URL: 'https://gateway.example.com' },
  });
});
afterAll(() => harness.stop());
beforeEach(() => {
  admits = [];
  asked = [];
  releases = [];
  superseded = [];
  whileAdmitting = () => undefined;
  failure = undefined;
  decision = { case: 'admitted', value: { modelId: 'sandbox/image-1' } };
});

const call = (method: 'get' | 'post' | 'delete', path: string, credential?: string) => {
  const sending = request(harness.app)[method](`/api/v1/images${path}`);
  return credential === undefined ? sending : sending.set('Authorization', `Bearer ${credential}`);
};
const generate = (body: object, credential = harness.tenant.secretKey) =>
  call('post', '/generate', credential).send(body);
const imageRequest = { model: 'sandbox/image-1', prompt: 'a tollgate' };

describe('POST /images/generate', () => {
  describe('200', () => {
    it('returns URLs that grant access to the files', async () => {
      const { status, body } = await generate({ ...imageRequest, n: 2 });
      expect(status).toBe(200);
      imageGenerationResult.parse(body);
      expect(body).toMatchObject({ id: image.id, model: 'sandbox/image-1', usage: { images: 2 } });
      expect(body.data[0].url).toBe(`https://gateway.example.com/api/v1/images/${image.id}/file?token=secret-token`);
      expect(admits).toMatchObject([{ kind: MeteredKind.IMAGES, images: 2, model: 'sandbox/image-1' }]);
      expect(asked).toMatchObject([{ holdId: admits[0]!.holdId, count: 2, isStored: true }]);
    });

    it('returns base64', async () => {
      const { body } = await generate({ ...imageRequest, response_format: 'b64_json' });
      expect(body.data).toEqual([{ id: image.id, b64_json: 'cG5n', mime_type: 'image/png' }]);
    });

    it("uses the tier's default model for a customer", async () => {
      const { status, body } = await generate({ prompt: 'x' }, harness.tenant.customerToken);
      expect([status, body.model]).toEqual([200, 'sandbox/image-1']);
      expect(admits[0]!.model).toBe('');
    });
  });

  describe('400, {error: {code, message}}', () => {
    it.each([
      [{ prompt: 'x' }, 'model is required'],
      [{ model: 'sandbox/image-1' }, /^prompt: /],
      [{ ...imageRequest, prompt: '' }, /^prompt: /],
      [{ ...imageRequest, response_format: 'png' }, /^response_format: /],
      [{ ...imageRequest, n: 0 }, /^n: /],
      [{ ...imageRequest, n: 11 }, /^n: /],
      [{ ...imageRequest, size: 'large' }, /^size: /],
    ])('rejects %j', async (body, message) => {
      const res = await generate(body);
      expect(res.status).toBe(400);
      expect(res.body).toEqual({ error: { code: 'invalid_input', message: expect.stringMatching(message) } });
      expect(admits).toEqual([]);
    });

    it('names an unknown model, and reports that URLs require storage', async () => {
      decision = { case: 'refused', value: { code: 'INVALID_INPUT', message: 'unknown model: nope' } };
      const unknown = await generate({ ...imageRequest, model: 'nope' });
      expect(unknown.body).toEqual({ error: { code: 'invalid_input', message: 'unknown model: nope' } });
      decision = { case: 'admitted', value: { modelId: 'sandbox/image-1' } };
      failure = new AppError('INVALID_INPUT', 'response_format url requires image storage');
      const { status, body } = await generate(imageRequest);
      expect([status, body]).toEqual([400, { error: { code: 'invalid_input', message: failure.message } }]);
    });
  });

  it.each([
    [{ ...imageRequest, model: 'sandbox/echo-1' }, 'secretKey'],
    [{ prompt: 'x' }, 'customerToken'],
  ] as const)('answers 400 for %j, whose model generates text (%s)', async (body, credential) => {
    decision = { case: 'refused', value: { code: 'INVALID_INPUT', message: 'has no price' } };
    const res = await generate(body, harness.tenant[credential]);
    const message = 'sandbox/echo-1 does not generate images';
    expect([res.status, res.body]).toEqual([400, { error: { code: 'invalid_input', message } }]);
  });

  it('supersedes a dispatched attempt under the same Idempotency-Key whose response was lost', async () => {
    const send = () => generate(imageRequest).set('Idempotency-Key', 'lost-1');
    failure = new AppError('SERVICE_UNAVAILABLE', 'a required service is not reachable');
    expect((await send()).status).toBe(503);
    failure = undefined;
    expect((await send()).status).toBe(200);
    expect(new Set(superseded)).toEqual(new Set([admits[0]!.holdId]));
    expect(admits[1]!.holdId).not.toBe(admits[0]!.holdId);
  });

  it('supersedes nothing under the same Idempotency-Key after a refusal', async () => {
    const send = () => generate(imageRequest).set('Idempotency-Key', 'refused-1');
    decision = { case: 'refused', value: { code: 'WALLET_EMPTY', message: 'x' } };
    expect((await send()).status).toBe(402);
    decision = { case: 'admitted', value: { modelId: 'sandbox/image-1' } };
    expect((await send()).status).toBe(200);
    expect(superseded).toEqual([]);
  });

  it('releases the funds of a client that disconnects before the dispatch', async () => {
    const server = createServer(harness.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const gone = new AbortController();
    const isGone = new Promise((resolve) => server.once('request', (_req, res) => res.once('close', resolve)));
    whileAdmitting = async () => {
      gone.abort();
      await isGone;
    };
    const { port } = server.address() as AddressInfo;
    const sent = fetch(`http://127.0.0.1:${port}/api/v1/images/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.tenant.secretKey}` },
      body: JSON.stringify(imageRequest),
      signal: gone.signal,
    });
    await expect(sent).rejects.toThrow();
    await waitUntil(() => releases.length > 0, { what: 'the release of the funds' });
    expect(releases).toMatchObject([{ holdIds: [admits[0]!.holdId], facts: { errorCode: 'CANCELED' } }]);
    expect(asked).toEqual([]);
    server.close();
    server.closeAllConnections();
  });

  it.each([
    ['publishableKey', 403],
    ['ownerToken', 403],
  ] as const)('answers for %s: %i', async (credential, status) => {
    expect((await generate(imageRequest, harness.tenant[credential])).status).toBe(status);
  });

  it.each([
    ['secretKey', 402, 'PROVIDER_ACCOUNT_UNFUNDED'],
    ['customerToken', 503, 'SERVICE_UNAVAILABLE'],
  ] as const)('reports a refusal on the owner’s side to a %s as %i', async (credential, status, code) => {
    decision = { case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED', message: 'x' } };
    const res = await generate(imageRequest, harness.tenant[credential]);
    expect([res.status, res.body.code]).toEqual([status, code]);
  });
});

describe('stored images', () => {
  it('returns a stored image, pins it and unpins it', async () => {
    const key = harness.tenant.secretKey;
    const read = await call('get', `/${image.id.toUpperCase()}`, key);
    expect(storedImage.parse(read.body)).toMatchObject({ pinned: false, expires_at: expiresAt.toISOString() });
    const pinned = await call('post', `/${image.id}/pin`, key);
    expect([pinned.status, pinned.body.pinned, pinned.body.expires_at]).toEqual([200, true, undefined]);
    const unpinned = await call('delete', `/${image.id}/pin`, key);
    expect([unpinned.status, unpinned.body.pinned]).toEqual([200, false]);
  });

  it('answers 410 for an expired image', async () => {
    failure = new AppError('GONE', 'the image has expired');
    expect(await call('get', `/${image.id}`, harness.tenant.secretKey)).toMatchObject({
      status: 410,
      body: { code: 'GONE' },
    });
    expect((await call('get', `/${image.id}/file?token=x`)).status).toBe(410);
  });

  it('serves files to every holder of the URL, displayed as images only', async () => {
    const { status, headers, body } = await call('get', `/${image.id}/file?token=secret-token`).buffer(true);
    expect([status, headers['content-type'], Buffer.from(body).toString()]).toEqual([200, 'image/png', 'png']);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(headers['cache-control']).toMatch(/^private, max-age=3[56]\d\d$/);
    expect((await call('get', `/${image.id}/file?token=wrong`)).status).toBe(404);
    expect((await call('get', `/${image.id}/file`)).status).toBe(400);
  });
});
