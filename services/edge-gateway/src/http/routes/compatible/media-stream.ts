import { AppError } from '@tollgate/errors';

/** Yields the frames of a stream up to the last, which is marked and follows the settlement. */
export async function* readFrames<Frame extends { isLast: boolean }>(
  first: Frame,
  rest: AsyncIterator<Frame>,
): AsyncGenerator<Frame> {
  try {
    for (let frame = first; ; ) {
      yield frame;
      if (frame.isLast) break;
      const next = await rest.next();
      // Only an explicit end frame ends the stream, so that a truncated one does not look complete.
      if (next.done) throw new AppError('PROVIDER_ERROR', 'the stream ended early');
      frame = next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** Converts what an iteration yields. */
export async function* mapFrames<From, To>(
  frames: AsyncGenerator<From>,
  convert: (frame: From) => To,
): AsyncGenerator<To> {
  for await (const frame of frames) yield convert(frame);
}
