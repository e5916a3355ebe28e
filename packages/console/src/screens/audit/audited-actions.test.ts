import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { AUDITED_ACTIONS } from './audited-actions.js';

const EDGE = join(import.meta.dirname, '../../../../../services/edge-gateway/src');
/** `audit: 'webhook.created'`, `action: 'session.started'`, and results of conditions. */
const ACTION = /(?:audit|action): (?:[\w. ]+\? )?'([a-z_]+\.[a-z_]+)'(?: : '([a-z_]+\.[a-z_]+)')?/g;

it('offers every action that the edge records', () => {
  const files = readdirSync(EDGE, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.includes('.test.') && !name.startsWith('testing'),
  );
  const texts = files.map((name) => readFileSync(join(EDGE, name), 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(ACTION)].flatMap(([, one, other]) => [one, other]));
  const recorded = [...new Set(found.filter((name) => name !== undefined))].sort();
  expect(AUDITED_ACTIONS).toEqual(expect.arrayContaining(recorded));
});
