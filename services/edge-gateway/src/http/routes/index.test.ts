import { expect, it } from '@jest/globals';
import { z } from 'zod';

it('converts no schema to JSON Schema while it is loaded', async () => {
  // Every conversion asks the registry for the metadata of the schema.
  const { get } = z.globalRegistry;
  let lookUps = 0;
  z.globalRegistry.get = (schema) => {
    lookUps++;
    return get.call(z.globalRegistry, schema);
  };
  try {
    const { routes } = await import('./index.js');
    expect(routes.length).toBeGreaterThan(100);
    expect(lookUps).toBe(0);
    z.toJSONSchema(z.string());
    expect(lookUps).toBeGreaterThan(0);
  } finally {
    z.globalRegistry.get = get;
  }
});
