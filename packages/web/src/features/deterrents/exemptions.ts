const selector = [
  'input',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable="false"])',
  '[role="textbox"]',
  '[data-own-text]',
].join(', ')

/** Whether something is in a text field or in what is one's own to copy: no deterrent acts there. */
export function isLeftAlone(target: EventTarget | null): boolean {
  if (!(target instanceof Node)) return false
  const element = target instanceof Element ? target : target.parentElement
  return element?.closest(selector) != null
}

/** Whether all that is selected is one's own to copy. */
export function isOwnSelection(selection: Selection | null): boolean {
  if (!selection || selection.isCollapsed) return false
  return isLeftAlone(selection.anchorNode) && isLeftAlone(selection.focusNode)
}
