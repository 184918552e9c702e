/** Focuses the first invalid field in the next frame, once the errors are rendered. */
export const focusInvalidField = (form: HTMLFormElement | null): void =>
  void requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

/** Focuses the first invalid field after a submit, in the next frame, when the form's errors are rendered. */
export function followInvalidFields(): void {
  document.addEventListener('submit', ({ target }) => {
    if (target instanceof HTMLFormElement) focusInvalidField(target)
  })
}
