/** The inspected properties of a KeyboardEvent. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The key's letter; by position if another alphabet or Option on a Mac produces another character. */
export function letterOf({ key, code }: Pick<Pressed, 'key' | 'code'>): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : ''
}

/** Whether Ctrl+Shift and this letter were pressed, on a Mac too: there Cmd+Shift belongs to the browser. */
export const isControlShift = (pressed: Pressed, letter: string): boolean =>
  pressed.ctrlKey && pressed.shiftKey && !pressed.altKey && !pressed.metaKey && letterOf(pressed) === letter
