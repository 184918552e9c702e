/** Focuses the first invalid field in the next frame, once the errors are rendered. */
export const focusInvalidField = (form: HTMLFormElement | null): void =>
  void requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

/**
 * Focuses the first invalid field after each submit. The form's own listeners have run by then, and their errors are
 * rendered in the next frame.
 */
export function followInvalidFields(): void {
  document.addEventListener('submit', ({ target }) => {
    if (target instanceof HTMLFormElement) focusInvalidField(target)
  })
}
