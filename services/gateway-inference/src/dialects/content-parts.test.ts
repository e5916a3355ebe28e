import { describe, expect, it } from '@jest/globals';
import { fileFromDataUrl, imageFromUrl } from './content-parts.js';

describe('imageFromUrl', () => {
  it('keeps a link, and reads data', () => {
    const url = 'HTTPS://example.com/a.png';
    expect(imageFromUrl(url, 'f')).toEqual({ type: 'linked_image', url, field: 'f' });
    expect(imageFromUrl('data:image/png;base64,AAAA', 'f')).toMatchObject({ file: { mime_type: 'image/png' } });
  });

  it('rejects a link without encryption', () => {
    expect(() => imageFromUrl('http://example.com/a.png', 'f')).toThrow('base64');
  });
});

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
