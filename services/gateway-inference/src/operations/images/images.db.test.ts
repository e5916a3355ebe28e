import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { ImageService } from '@tollgate/contracts/inference/v1/images_pb.js';
import type { Client } from '@tollgate/rpc';
import { type Clock, systemClock } from '@tollgate/runtime';
import { InferenceSystem } from '../../testing/inference-system.js';
import { type S3Server, startS3Server } from '../../testing/s3-server.js';

const projectId = randomUUID();
const DAY_MS = 86_400_000;
let s3: S3Server;
let directory: string;

function principal(fields: { kind?: PrincipalKind; customerId?: string; projectId?: string } = {}): Principal {
  return create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, projectId, ...fields });
}

const stores = {
  directory: async () => ({ IMAGE_STORAGE_DIR: directory }),
  s3: async () => s3.env,
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tollgate-images-'));
  s3 = await startS3Server();
});
afterAll(async () => {
  s3.stop();
  await rm(directory, { recursive: true });
});

describe.each(Object.entries(stores))('images in a %s', (_name, env) => {
  let system: InferenceSystem;
  let client: Client<typeof ImageService>;
  let late = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => new Date(Date.now() + late),
    nowMs: () => Date.now() + late,
  };

  beforeAll(async () => {
    system = await InferenceSystem.start(await env(), { clock });
    client = system.network.client(ImageService);
  });
  afterAll(() => system.stop());

  const input = (more: object = {}) => ({
    holdId: randomUUID(),
    modelId: 'sandbox/image-1',
    prompt: 'a tollgate',
    count: 1,
    isStored: true,
    ...more,
  });
  const generate = (more: object = {}, who = principal()) => {
    late = 0;
    return client.generateImages(input(more), system.call({ principal: who }));
  };
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'OK',
      (error: { code: string }) => error.code,
    );

  it('settles images by number before it answers, and serves a file by the secret in its URL alone', async () => {
    const request = input({ count: 3 });
    const { data, model } = await client.generateImages(request, system.call({ principal: principal() }));
    expect(model).toBe('sandbox/image-1');
    expect(system.ledger.settled.at(-1)).toMatchObject({ holdId: request.holdId, usage: { images: 3 } });
    expect(new Set(data.map(({ id }) => id)).size).toBe(3);
    const [first] = data;
    const file = { id: first!.id, fileToken: first!.fileToken };
    const { bytes, mimeType } = await client.readImageFile(file, system.call());
    expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    expect(mimeType).toBe('image/png');
    for (const wrong of [data[1]!.fileToken, '', `${file.fileToken}x`]) {
      expect(await code(client.readImageFile({ ...file, fileToken: wrong }, system.call()))).toBe('NOT_FOUND');
    }
  });

  it('stores nothing when only bytes are requested', async () => {
    const { data } = await generate({ isStored: false });
    expect(data[0]!.bytes.length).toBeGreaterThan(50);
    expect(await code(client.getImage({ id: data[0]!.id }, system.call({ principal: principal() })))).toBe('NOT_FOUND');
  });

  it('shows and pins images only in the scope of their creator', async () => {
    const customer = principal({ kind: PrincipalKind.CUSTOMER, customerId: randomUUID() });
    const { id } = (await generate({}, customer)).data[0]!;
    const as = (who: Principal) => system.call({ principal: who });
    expect(await code(client.getImage({ id }, as(customer)))).toBe('OK');
    expect(await code(client.getImage({ id }, as(principal())))).toBe('OK');
    for (const stranger of [
      principal({ kind: PrincipalKind.CUSTOMER, customerId: randomUUID() }),
      principal({ projectId: randomUUID() }),
    ]) {
      expect(await code(client.getImage({ id }, as(stranger)))).toBe('NOT_FOUND');
      expect(await code(client.pinImage({ id, pinned: true }, as(stranger)))).toBe('NOT_FOUND');
    }
    const { id: projects } = (await generate()).data[0]!;
    expect(await code(client.getImage({ id: projects }, as(customer)))).toBe('NOT_FOUND');
    expect(await code(client.getImage({ id: 'x' }, as(customer)))).toBe('NOT_FOUND');
  });

  it('expires images after seven days unless pinned, and seven days after they are unpinned', async () => {
    const [kept, lost] = (await generate({ count: 2 })).data;
    const call = () => system.call({ principal: principal() });
    const pin = async (id: string, pinned: boolean) => (await client.pinImage({ id, pinned }, call())).image!;
    expect(await pin(kept!.id, true)).toHaveProperty('pinned', true);
    late = 7 * DAY_MS + 1_000;
    for (const read of [
      () => client.getImage({ id: lost!.id }, call()),
      () => client.pinImage({ id: lost!.id, pinned: true }, call()),
      () => client.readImageFile({ id: lost!.id, fileToken: lost!.fileToken }, call()),
    ]) {
      expect(await code(read())).toBe('GONE');
    }
    const file = { id: kept!.id, fileToken: kept!.fileToken };
    expect(await code(client.readImageFile(file, call()))).toBe('OK');
    const { expiresAt } = await pin(kept!.id, false);
    expect(Number(expiresAt!.seconds) * 1000 - Date.now() - late).toBeGreaterThan(6.9 * DAY_MS);
    late = 14 * DAY_MS + 2_000;
    expect(await code(client.readImageFile(file, call()))).toBe('GONE');
  });
});

describe('image requests that fail', () => {
  let system: InferenceSystem;
  let client: Client<typeof ImageService>;
  beforeAll(async () => {
    system = await InferenceSystem.start();
    client = system.network.client(ImageService);
  });
  afterAll(() => system.stop());

  const newRequest = (more: object) => {
    return { holdId: randomUUID(), modelId: 'sandbox/image-1', prompt: 'x', count: 1, isStored: false, ...more };
  };

  it.each([
    ['no storage is configured', { isStored: true }, 'INVALID_INPUT', /requires image storage/],
    ['the model writes text', { modelId: 'sandbox/echo-1' }, 'INVALID_INPUT', /does not generate images/],
  ])('rejects the request and releases its hold if %s', async (_what, more, code, message) => {
    const request = newRequest(more);
    const made = client.generateImages(request, system.call({ principal: principal() }));
    await expect(made).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(system.ledger.findRelease(request.holdId)).toMatchObject({ facts: { success: false, errorCode: code } });
  });

  it.each([
    ['the provider fails', { prompt: 'fail with 500' }, 'PROVIDER_ERROR'],
    ['the provider is not paid', { prompt: 'fail with 402' }, 'UPSTREAM_PAYMENT_REQUIRED'],
  ])('rejects the request and charges nothing if %s', async (_what, more, code) => {
    const request = newRequest(more);
    const made = client.generateImages(request, system.call({ principal: principal() }));
    await expect(made).rejects.toMatchObject({ code });
    expect(system.ledger.settled.at(-1)).toMatchObject({
      holdId: request.holdId,
      usage: { images: 0 },
      facts: { success: false, errorCode: code },
    });
  });
});

it('keeps only whole files in a directory, and retries a failing bucket', async () => {
  expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([]);
  s3.failNext(503, 2);
  const system = await InferenceSystem.start(s3.env);
  const request = { holdId: randomUUID(), modelId: 'sandbox/image-1', prompt: 'again', count: 1, isStored: true };
  const { data } = await system.network
    .client(ImageService)
    .generateImages(request, system.call({ principal: principal() }));
  expect(s3.objects.get(`images/${data[0]!.id}`)?.contentType).toBe('image/png');
  await system.stop();
});
