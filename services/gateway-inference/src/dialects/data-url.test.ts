import { describe, expect, it } from '@jest/globals';
import { fileFromDataUrl } from './data-url.js';

describe('fileFromDataUrl', () => {
  it('reads scheme, media type and encoding in any case', () => {
    expect(fileFromDataUrl('DATA:Image/PNG;BASE64,AAAA', undefined, 'image_url')).toEqual({
      type: 'file',
      file: { data_base64: 'AAAA', mime_type: 'image/png' },
    });
  });

  it.each(['https://example.com/a.png', 'data:image/png,AAAA', 'AAAA'])('rejects %s', (url) => {
    expect(() => fileFromDataUrl(url, undefined, 'image_url')).toThrow('base64');
  });
});
