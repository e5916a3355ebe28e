import { expect, it } from '@jest/globals';
import { returnUrlFaults } from './return-url.js';

it.each(['https://shop.example/ok?a=1', 'http://127.0.0.1:3000', `https://shop.example/${'x'.repeat(2_027)}`])(
  'accepts %s',
  (success_url) => {
    expect(returnUrlFaults({ success_url })).toEqual([]);
  },
);

it.each(['', '/ok', 'javascript:alert(1)', 'ftp://shop.example', `https://shop.example/${'x'.repeat(2_028)}`])(
  'rejects %s, and names the field',
  (cancel_url) => {
    const faults = returnUrlFaults({ success_url: 'https://shop.example', cancel_url });
    expect(faults).toEqual([{ field: 'cancel_url', message: expect.any(String) }]);
  },
);
