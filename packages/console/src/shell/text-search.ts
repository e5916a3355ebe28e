/** Fields of the URL that hold text: what a page filters by and shows. */
export const TEXT_FIELDS = [
  'tab',
  'q',
  'cursor',
  'status',
  'model',
  'customer',
  'tier',
  'action',
  'key',
  'agent',
  'from',
  'to',
  'mailbox',
  'metric',
  'group',
  'interval',
] as const;

export type TextField = (typeof TEXT_FIELDS)[number];

export type TextSearch = { [Name in TextField]?: string | undefined };
