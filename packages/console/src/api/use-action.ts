import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from '../parts/toasts.js';

export interface Action<Input, Result> {
  act: (input: Input) => Promise<Result>;
  /** Queries whose data the action changes. */
  changes: readonly QueryKey[];
  /** Shown when the action has been answered. */
  done?: string | ((result: Result) => string);
  onDone?: (result: Result) => void;
}

/** A change through the API: shows that it was made, and reads again what it changed. */
export function useAction<Input = void, Result = unknown>({ act, changes, done, onDone }: Action<Input, Result>) {
  const client = useQueryClient();
  const say = useToast();
  return useMutation<Result, Error, Input>({
    mutationFn: act,
    onSuccess: async (result) => {
      if (done !== undefined) say(typeof done === 'string' ? done : done(result));
      onDone?.(result);
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
