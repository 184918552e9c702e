import { isPrintingText } from '../../app/secretText/printText.ts'
import { onMessageCopied } from '../../browser/clipboard.ts'
import type { Deterred } from './triggers.ts'
import { shortcutOf } from './shortcuts.ts'

type Facts = Record<string, string>
export type Notice = (kind: Deterred, facts?: Facts) => void

const isMac = () => /mac|iphone|ipad/i.test(navigator.platform)

function clearClipboard(): void {
  // Refused if the page has no focus; there is no alternative then.
  navigator.clipboard?.writeText('').catch(() => {})
}

/**
 * Watches the page for deterred actions and reports them. Ignores text fields, copyable text, context menus opened by
 * keyboard or touch, and files dragged into the page. Returns a function that stops it.
 */
export function watchPage(notice: Notice): () => void {
  const mac = isMac()
  const ending = new AbortController()
  const { signal } = ending
  const first = { capture: true, signal }
  let byMouse = false
  let leaving = false

  function onKeyDown(event: KeyboardEvent) {
    byMouse = false
    if (event.isComposing) return
    const shortcut = shortcutOf(event, mac)
    if (!shortcut) return
    if (shortcut.kind === 'copy' && (isLeftAlone(event.target) || isOwnSelection(getSelection()))) return
    if (shortcut.suppress) event.preventDefault()
    if (event.repeat) return
    if (shortcut.kind === 'screenshot') clearClipboard()
    notice(shortcut.kind, { shortcut: shortcut.name })
  }

  // Systems that take the screenshot themselves report the key to the page, if at all, on release.
  function onKeyUp({ key }: KeyboardEvent) {
    if (key !== 'PrintScreen') return
    clearClipboard()
    notice('screenshot', { shortcut: 'PrintScreen' })
  }

  function onContextMenu(event: MouseEvent) {
    if (!byMouse || isLeftAlone(event.target)) return
    event.preventDefault()
    notice('rightClick')
  }

  function onDragStart(event: DragEvent) {
    if (isLeftAlone(event.target)) return
    event.preventDefault()
    notice('drag')
  }

  window.addEventListener('keydown', onKeyDown, first)
  window.addEventListener('keyup', onKeyUp, first)
  window.addEventListener('pointerdown', ({ pointerType }) => void (byMouse = pointerType !== 'touch'), first)
  window.addEventListener('contextmenu', onContextMenu, first)
  window.addEventListener('dragstart', onDragStart, first)
  window.addEventListener('beforeprint', () => isPrintingText() || notice('print'), { signal })
  // A page is also hidden when it is closed or reloaded: not an event.
  window.addEventListener('pagehide', () => void (leaving = true), { signal })
  window.addEventListener('pageshow', () => void (leaving = false), { signal })
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'hidden' && !leaving && notice('hidden'),
    { signal },
  )
  onMessageCopied(() => notice('copy', { shortcut: 'Copy in the menu of a message' }), signal)
  const restoreConsole = watchConsole(() => notice('console'))
  return () => {
    ending.abort()
    restoreConsole()
  }
}

/** Methods that people type into a console; excludes `error` and `warn`, which the page's scripts use. */
const methods = ['log', 'info', 'debug', 'table', 'dir'] as const

/** Calls `used` at the first use of the console, which keeps working. Returns a function that restores the methods. */
export function watchConsole(used: () => void, target: Console = console): () => void {
  const originals = methods.map((name) => [name, target[name]] as const)
  const wrappers = originals.map(([name, original]) => {
    const wrapper = (...args: unknown[]) => {
      restore()
      used()
      Reflect.apply(original, target, args)
    }
    target[name] = wrapper
    return wrapper
  })
  function restore() {
    for (const [at, [name, original]] of originals.entries()) if (target[name] === wrappers[at]) target[name] = original
  }
  return restore
}

const selector = [
  'input',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable="false"])',
  '[role="textbox"]',
  '[data-own-text]',
].join(', ')

/** Whether the target is in a text field or in copyable text, which deterrents ignore. */
function isLeftAlone(target: EventTarget | null): boolean {
  if (!(target instanceof Node)) return false
  const element = target instanceof Element ? target : target.parentElement
  return element?.closest(selector) != null
}

/** Whether the whole selection is copyable text. */
function isOwnSelection(selection: Selection | null): boolean {
  if (!selection || selection.isCollapsed) return false
  return isLeftAlone(selection.anchorNode) && isLeftAlone(selection.focusNode)
}
