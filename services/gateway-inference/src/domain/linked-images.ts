import type { FilePart } from '@tollgate/api/model-requests';
import type { LinkedImage, ModelRequest } from './model-request.js';

/** Returns the images that the request links to, each URL once, in order. */
export function listLinkedImages({ messages }: ModelRequest): LinkedImage[] {
  const found = new Map<string, LinkedImage>();
  for (const { content } of messages) {
    for (const part of content) if (part.type === 'linked_image' && !found.has(part.url)) found.set(part.url, part);
  }
  return [...found.values()];
}

/** Returns the request with the images themselves, by their URL, instead of links to them. */
export function inlineImages(request: ModelRequest, images: ReadonlyMap<string, FilePart>): ModelRequest {
  const messages = request.messages.map((message) => {
    if (!message.content.some(({ type }) => type === 'linked_image')) return message;
    const content = message.content.map((part) => (part.type === 'linked_image' && images.get(part.url)) || part);
    return { ...message, content };
  });
  return { ...request, messages };
}
