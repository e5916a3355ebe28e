// A system for tests with thousands of requests, about everything that a tenant can have.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWebhookReceiver, type WebhookReceiver } from '@tollgate/testkit';
import { type System, startSystem } from './start-system.js';

export interface TenantSystem {
  system: System;
  /** Fake endpoints of all owners. */
  receiver: WebhookReceiver;
  stop(): Promise<void>;
}

const UNLIMITED = {
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '100000000',
  RATE_LIMIT_SECRET_KEY_PER_MINUTE: '1000000',
  RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE: '1000000',
  RATE_LIMIT_CUSTOMER_PER_MINUTE: '1000000',
  RATE_LIMIT_OWNER_PER_MINUTE: '1000000',
  SIGN_IN_LIMIT_PER_EMAIL_PER_MINUTE: '1000000',
  SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: '1000000',
};

/** Random requests open live views, and wait for their end. */
const SHORT = { LIVE_VIEW_DURATION: '50ms' };

export async function startTenantSystem(env: NodeJS.ProcessEnv = {}): Promise<TenantSystem> {
  const images = await mkdtemp(join(tmpdir(), 'tollgate-images-'));
  const system = await startSystem({
    mode: 'one process',
    env: { ...UNLIMITED, ...SHORT, IMAGE_STORAGE_DIR: images, RESPONSE_STORAGE: '1', ...env },
  });
  const receiver = await startWebhookReceiver();
  return {
    system,
    receiver,
    stop: async () => {
      await receiver.stop();
      await system.stop();
      await rm(images, { recursive: true, force: true });
    },
  };
}
