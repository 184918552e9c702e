/** Moves the focus to the first wrong field once what the server found is drawn. */
export const focusInvalidField = (form: HTMLFormElement | null): void =>
  void requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

/**
 * Leads whoever sends a form with a mistake in it to the first field that is wrong. The form's own listeners have run
 * by then, and what they found is drawn in the next frame.
 */
export function followInvalidFields(): void {
  document.addEventListener('submit', ({ target }) => {
    if (target instanceof HTMLFormElement) focusInvalidField(target)
  })
}
