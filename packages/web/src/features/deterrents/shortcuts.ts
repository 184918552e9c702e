import { letterOf, type Pressed } from '../../browser/shortcut.ts'
import type { Deterred } from './triggers.ts'

export interface Shortcut {
  kind: Deterred
  /** The usual notation, such as Ctrl+Shift+I. */
  name: string
  /** Whether to prevent the browser's action. Copying is never prevented, because users of screen readers need it. */
  suppress: boolean
}

/**
 * Maps a key press to a deterred shortcut, or undefined. On a Mac the shortcuts use Cmd; Ctrl with a letter moves the
 * cursor in text fields and is ignored.
 */
export function shortcutOf(pressed: Pressed, mac: boolean): Shortcut | undefined {
  const { key, ctrlKey: ctrl, metaKey: meta, altKey: alt, shiftKey: shift } = pressed
  const named = (kind: Deterred, ...parts: string[]): Shortcut => ({
    kind,
    name: parts.join('+'),
    suppress: kind === 'print' || kind === 'devTools',
  })
  if (key === 'F12') return ctrl || meta || alt || shift ? undefined : named('devTools', 'F12')
  const letter = letterOf(pressed)
  const command = meta ? (mac ? 'Cmd' : 'Meta') : 'Ctrl'
  const hasCommandKey = (mac ? meta && !ctrl : (ctrl || meta) && !(ctrl && meta)) && !alt
  const tools = mac ? meta && alt && !ctrl && !shift : ctrl && shift && !alt && !meta
  if (tools && ['i', 'j', 'c'].includes(letter))
    return named('devTools', ...(mac ? ['Cmd', 'Option'] : ['Ctrl', 'Shift']), letter.toUpperCase())
  if (mac && meta && shift && !alt && /^Digit[345]$/.test(pressed.code))
    return named('screenshot', 'Cmd', 'Shift', pressed.code.slice(5))
  if (hasCommandKey && shift && letter === 's') return named('screenshot', command, 'Shift', 'S')
  if (hasCommandKey && !shift && letter === 'p') return named('print', command, 'P')
  if (hasCommandKey && !shift && letter === 'c') return named('copy', command, 'C')
  if (!mac && ctrl && !meta && !alt && !shift && key === 'Insert') return named('copy', 'Ctrl', 'Insert')
  return undefined
}
