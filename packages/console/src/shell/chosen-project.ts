const NAME = 'tollgate.project';

/** The project that was shown last in this browser. */
export function readChosenProject(): string | undefined {
  return localStorage.getItem(NAME) ?? undefined;
}

export function keepChosenProject(id: string): void {
  localStorage.setItem(NAME, id);
}
