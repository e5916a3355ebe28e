import { describe, expect, it } from '@jest/globals';
import { toOwnConnection } from './own-connection.js';

const toConnection = (entry: object) =>
  toOwnConnection(
    { name: 'mine', entryJson: JSON.stringify({ preset: 'anthropic', ...entry }), secretsJson: '' },
    { allowPrivate: false },
  );

describe('a connection of a project', () => {
  it('has bounds of its own, unless it states others', () => {
    expect(toConnection({})).toMatchObject({ sockets_max: 64, in_flight_max: 1_000 });
    expect(toConnection({ sockets_max: 2 })).toMatchObject({ sockets_max: 2, in_flight_max: 1_000 });
  });
});
