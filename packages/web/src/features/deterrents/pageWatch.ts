import { onMessageCopied } from '../../app/copyEvent.ts'
import { watchConsole } from './consoleDetection.ts'
import type { Deterred } from './triggers.ts'
import { isLeftAlone, isOwnSelection } from './exemptions.ts'
import { shortcutOf } from './shortcuts.ts'

type Facts = Record<string, string>
export type Notice = (kind: Deterred, facts?: Facts) => void

const isMac = () => /mac|iphone|ipad/i.test(navigator.platform)

function clearClipboard(): void {
  // Refused where the page has no focus; there is nothing more to do about it then.
  navigator.clipboard?.writeText('').catch(() => {})
}

/**
 * Watches the page for what is deterred and tells of it. Text fields, what is one's own to copy, menus opened
 * by keyboard or touch, and files dragged into the page are left alone. Answers what stops it.
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

  // Systems that take the picture themselves let a page know of the key, if at all, when it is released.
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
  window.addEventListener('beforeprint', () => notice('print'), { signal })
  // A page that is left or loaded again is hidden too, which says nothing.
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
