import { describe, expect, it } from '@jest/globals';
import { canonicalToolName, isStateTool, serverToolNames, underscoredToolName } from './tool-names.js';

describe('names of server-side tools', () => {
  it.each(serverToolNames.map((name) => [name]))('recognizes %s in both spellings', (name) => {
    expect(canonicalToolName(name)).toBe(name);
    expect(canonicalToolName(name.replaceAll('_', '.'))).toBe(name);
  });

  it.each(['kv', 'kv_', 'kvwrite', 'KV_WRITE', 'kv-write', 'weather.get', ''])('does not recognize %j', (name) => {
    expect(canonicalToolName(name)).toBeUndefined();
  });

  it('treats both spellings of any other name as one', () => {
    expect(underscoredToolName('weather.of.city')).toBe('weather_of_city');
  });

  it('treats exactly five tools as state tools', () => {
    expect(serverToolNames.filter(isStateTool)).toEqual(['kv_write', 'kv_read', 'kv_list', 'kv_delete', 'tasks_write']);
  });
});
