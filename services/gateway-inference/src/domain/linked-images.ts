import type { FilePart } from '@tollgate/api/model-requests';
import type { LinkedImage, ModelRequest } from './model-request.js';

/** Returns all links to images of the request, in order. A URL is listed as often as the request links to it. */
export function listLinkedImages({ messages }: ModelRequest): LinkedImage[] {
  return messages.flatMap(({ content }) => content.filter((part) => part.type === 'linked_image'));
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
