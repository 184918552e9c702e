/**
 * Leads whoever sends a form with a mistake in it to the first field that is wrong. The form's own listeners have run
 * by then, and what they found is drawn in the next frame.
 */
export function followInvalidFields(): void {
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement)) return
    requestAnimationFrame(() => target.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  })
}
