const selector = [
  'input',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable="false"])',
  '[role="textbox"]',
  '[data-own-text]',
].join(', ')

/** Whether the target is in a text field or in copyable text, which deterrents ignore. */
export function isLeftAlone(target: EventTarget | null): boolean {
  if (!(target instanceof Node)) return false
  const element = target instanceof Element ? target : target.parentElement
  return element?.closest(selector) != null
}

/** Whether the whole selection is copyable text. */
export function isOwnSelection(selection: Selection | null): boolean {
  if (!selection || selection.isCollapsed) return false
  return isLeftAlone(selection.anchorNode) && isLeftAlone(selection.focusNode)
}
