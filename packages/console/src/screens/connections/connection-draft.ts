import type { Connection } from '../../api/types.js';
import { readModels } from './describe-connection.js';

/** The choice of no known vendor. */
export const OTHER = '';

export interface KeyDraft {
  id: number;
  secret: string;
  /** Of the requests, beside those of other keys. */
  share: string;
}

/** A connection as it is edited: fields as they are typed. */
export interface ConnectionDraft {
  name: string;
  /** A preset, or `OTHER`. */
  vendor: string;
  wire: string;
  url: string;
  keys: readonly KeyDraft[];
  /** Ids with spaces between them; `id=name` where the vendor has another name. */
  models: string;
  mode: Connection['mode'];
}

export const FIRST_KEY: KeyDraft = { id: 1, secret: '', share: '1' };

export const NEW_CONNECTION: ConnectionDraft = {
  name: '',
  vendor: 'anthropic',
  wire: 'openai-chat',
  url: '',
  keys: [FIRST_KEY],
  models: '',
  mode: 'prefer',
};

/** The stored keys cannot be read: none are given until they are to be replaced. */
export function toDraft({ name, preset, wire, base_url, models, mode }: Connection): ConnectionDraft {
  const texts = models.map(({ model, upstream_model: other }) => (model === other ? model : `${model}=${other}`));
  const settings = { vendor: preset ?? OTHER, wire: wire ?? NEW_CONNECTION.wire, url: base_url ?? '' };
  return { name, ...settings, keys: [], models: texts.join(' '), mode };
}

/** The body of a request that creates the connection. */
export function toBody({ name, vendor, wire, url, keys, models, mode }: ConnectionDraft): object {
  const given = toKeys(keys);
  return {
    name: name.trim(),
    mode,
    ...(vendor === OTHER ? { wire } : { preset: vendor }),
    ...(url.trim() && { base_url: url.trim() }),
    ...(given.length > 0 && { keys: given }),
    models: readModels(models),
  };
}

/** The body of a request that changes a connection: only what differs, so that the vendor is asked only when it must be. */
export function toUpdate(draft: ConnectionDraft, before: ConnectionDraft): object {
  const isMoved = leadsElsewhere(draft, before);
  const isOther = draft.vendor === OTHER;
  const keys = toKeys(draft.keys);
  return {
    ...(draft.name !== before.name && { name: draft.name.trim() }),
    ...(draft.mode !== before.mode && { mode: draft.mode }),
    ...(draft.models !== before.models && { models: readModels(draft.models) }),
    ...(draft.vendor !== before.vendor && { preset: isOther ? null : draft.vendor }),
    ...(draft.vendor !== before.vendor && !isOther && { wire: null }),
    ...(isOther && (isMoved || draft.wire !== before.wire) && { wire: draft.wire }),
    ...(draft.url !== before.url && { base_url: draft.url.trim() || null }),
    ...(keys.length > 0 && { keys }),
  };
}

/** Another vendor or address: the stored keys are never sent there. */
export function leadsElsewhere(draft: ConnectionDraft, before: ConnectionDraft): boolean {
  return draft.vendor !== before.vendor || draft.url !== before.url;
}

function toKeys(keys: readonly KeyDraft[]): { secret: string; weight: number }[] {
  const given = keys.filter(({ secret }) => secret.trim() !== '');
  return given.map(({ secret, share }) => ({ secret: secret.trim(), weight: Number(share) || 1 }));
}
