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

/** Reads models as a person writes them: ids with spaces or commas between them, `id=name` where the vendor has another name. */
export function readModels(text: string): { model: string; upstream_model?: string }[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.map((part) => {
    const [model = '', name] = part.split('=', 2);
    return { model, ...(name && { upstream_model: name }) };
  });
}
