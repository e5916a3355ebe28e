import { describe, expect, it } from '@jest/globals';
import { toServiceEnv } from './separate.js';

const slot = { name: 'edge-gateway', port: 1, healthPort: 2, httpPort: 3 } as const;

describe('the environment of a service process', () => {
  it('takes its ports and its name from the slot, not from the caller', () => {
    const env = toServiceEnv(slot, { GRPC_PORT: '9', HEALTH_PORT: '9', HTTP_PORT: '9', OTEL_SERVICE_NAME: 'all' });
    expect(env).toMatchObject({ GRPC_PORT: '1', HEALTH_PORT: '2', HTTP_PORT: '3', OTEL_SERVICE_NAME: slot.name });
  });

  it('has no HTTP port where the service has none', () => {
    expect(toServiceEnv({ ...slot, httpPort: undefined }, {})).not.toHaveProperty('HTTP_PORT');
  });

  it('sets the allocator unless the caller chose another value', () => {
    expect(toServiceEnv(slot, {}).MALLOC_ARENA_MAX).toBe('2');
    expect(toServiceEnv(slot, { MALLOC_ARENA_MAX: '8' }).MALLOC_ARENA_MAX).toBe('8');
  });
});
