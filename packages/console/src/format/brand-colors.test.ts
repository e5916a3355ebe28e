import { describe, expect, it } from '@jest/globals';
import { contrast, toBrandColors } from './brand-colors.js';

describe('toBrandColors', () => {
  it.each(['#000000', '#ffffff', '#ffff00', '#1d4ed8', '#7f7f7f', '#00ff88', '#FF0000'])(
    'makes %s readable on light and dark pages, and texts on it',
    (hex) => {
      const { onLight, onDark, inkOnLight, inkOnDark } = toBrandColors(hex);
      expect(contrast(onLight, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(onDark, '#1b1e26')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(onLight, inkOnLight)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(onDark, inkOnDark)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('keeps a color that can be read already', () => {
    expect(toBrandColors('#1e3a8a').onLight).toBe('#1e3a8a');
  });
});
