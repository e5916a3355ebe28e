import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Closes an answer that is queued behind others of a pipelining client when their connection closes. Node itself closes
 * only the answer that is being sent.
 */
export function closeWithConnection({ socket }: IncomingMessage, res: ServerResponse): void {
  if (res.socket !== null) return;
  const close = (): void => {
    if (res.socket !== null) return;
    res.destroy();
    res.emit('close');
  };
  // One listener for each answer that waits.
  socket.setMaxListeners(0);
  socket.once('close', close);
  res.once('close', () => socket.off('close', close));
}
