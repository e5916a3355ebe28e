/** Faults that a test injects into the fake's API; a request is `METHOD /path`. */
export interface Faults {
  /** Breaks the connection of the next matching requests, before or after they take effect. */
  cut(request: RegExp, when: 'before' | 'after', times?: number): void;
  /** Executes the next matching request, but holds its answer back until it is released. */
  pause(request: RegExp): { reached: Promise<void>; release(): void };
  /** Answers the next matching request with 400 and this message. */
  refuse(request: RegExp, message: string): void;
  /** Answers the next matching request with 500. The processor keeps that answer for the idempotency key of the request. */
  fail(request: RegExp): void;
}

interface Cut {
  request: RegExp;
  when: 'before' | 'after';
  left: number;
}

interface Pause {
  request: RegExp;
  reach(): void;
  released: Promise<void>;
}

export function createFaults(): Faults & {
  cutsNow(request: string, when: 'before' | 'after'): boolean;
  takePause(request: string): Promise<void> | undefined;
  takeRefusal(request: string): string | undefined;
  takeFailure(request: string): boolean;
} {
  const cuts: Cut[] = [];
  const pauses: Pause[] = [];
  const refusals: { request: RegExp; message: string }[] = [];
  const failures: RegExp[] = [];
  return {
    refuse(request, message) {
      refusals.push({ request, message });
    },
    takeRefusal(request) {
      const index = refusals.findIndex((entry) => entry.request.test(request));
      return index < 0 ? undefined : refusals.splice(index, 1)[0]?.message;
    },
    fail(request) {
      failures.push(request);
    },
    takeFailure(request) {
      const index = failures.findIndex((entry) => entry.test(request));
      return index >= 0 && failures.splice(index, 1).length > 0;
    },
    cut(request, when, times = 1) {
      cuts.push({ request, when, left: times });
    },
    pause(request) {
      let reach = (): void => undefined;
      let release = (): void => undefined;
      const reached = new Promise<void>((resolve) => {
        reach = resolve;
      });
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      pauses.push({ request, reach, released });
      return { reached, release };
    },
    cutsNow(request, when) {
      const cut = cuts.find((entry) => entry.left > 0 && entry.when === when && entry.request.test(request));
      if (cut) cut.left -= 1;
      return cut !== undefined;
    },
    takePause(request) {
      const index = pauses.findIndex((entry) => entry.request.test(request));
      if (index < 0) return undefined;
      const [pause] = pauses.splice(index, 1);
      pause?.reach();
      return pause?.released;
    },
  };
}
