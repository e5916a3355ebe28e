import type { Connection } from '../../api/types.js';

/** Returns the vendor or the address of a connection. */
export function describeVendor({
  preset,
  wire,
  base_url: url,
}: Pick<Connection, 'preset' | 'wire' | 'base_url'>): string {
  return [preset ?? wire, url].filter((part) => part !== undefined).join(', ');
}

/** Returns the ends of the keys. */
export function describeKeys({ keys }: Pick<Connection, 'keys'>): string {
  return keys.map(({ last_four: end }) => `…${end}`).join(', ') || 'none';
}

/** Returns the models, each with the vendor's name where that is another. */
export function describeModels({ models }: Pick<Connection, 'models'>): string {
  return models.map(({ model, upstream_model: name }) => (model === name ? model : `${model} (${name})`)).join(', ');
}
