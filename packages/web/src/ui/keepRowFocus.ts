const lists = 'ul, tbody, [data-rows]'
const buttons = 'button:not(:disabled), a[href]'
const overlays = '[role=dialog], [role=alertdialog], [role=menu]'

/** A button that had the focus, and the place of its row. */
interface Place {
  button: HTMLElement
  list: Element
  index: number
  focusVisible: boolean
}

function placeOf(button: HTMLElement): Place | undefined {
  const list = button.closest(lists)
  if (!list) return undefined
  const index = [...list.children].findIndex((row) => row.contains(button))
  return { button, list, index, focusVisible: button.matches(':focus-visible') }
}

/** The first button of the row that has taken the place, or else of the nearest row before it. */
function successorOf(place: Place): HTMLElement | undefined {
  const rows = place.list.isConnected ? [...place.list.children] : []
  const nearest = [...rows.slice(place.index), ...rows.slice(0, place.index).toReversed()]
  return nearest.map((row) => row.querySelector<HTMLElement>(buttons)).find((button) => button !== null) ?? undefined
}

function headingOf(around: Element): HTMLElement | undefined {
  const id = around.closest('[aria-labelledby]')?.getAttribute('aria-labelledby')
  const heading = (id && document.getElementById(id)) || undefined
  if (heading) heading.tabIndex = -1
  return heading
}

/**
 * Keeps the focus in lists whose rows go. A row that is removed with the focus passes it to the first button of the row
 * in its place, or, if no row has one, to the heading of the section or dialog. A ref callback for an element that
 * stays; `tabIndex={-1}` lets a dialog that was opened from a removed row return the focus to it.
 */
export function keepRowFocus(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined
  const around = element
  let last: Place | undefined

  /** Whether the focus may come back from there: a dialog or menu that was opened from a row. */
  const isPassing = (element: Element) => {
    const overlay = element.closest(overlays)
    return overlay !== null && !overlay.contains(around)
  }

  function recover(): void {
    const active = document.activeElement
    // An open dialog hides the rest of the page, and returns the focus when it closes.
    if (around.closest('[aria-hidden=true]')) return
    if (!last || active === last.button) return
    if (active && active !== document.body && active !== around) {
      if (!isPassing(active)) last = undefined
      return
    }
    const { button, focusVisible } = last
    // A disabled button is busy: it is enabled again, or its row goes.
    if (button.isConnected && button.matches(':disabled')) return
    const next = button.isConnected ? button : (successorOf(last) ?? headingOf(around))
    last = undefined
    next?.focus({ focusVisible })
  }

  function focused({ target }: FocusEvent): void {
    if (target !== around) last = target instanceof HTMLElement ? placeOf(target) : undefined
    else if (last && !last.button.isConnected) recover()
  }

  function left({ target, relatedTarget: next }: FocusEvent): void {
    if (!(target instanceof Element)) return
    if (next instanceof Element) {
      if (!isPassing(next)) last = undefined
      return
    }
    // Chromium reports the loss before it removes the element.
    queueMicrotask(() => {
      const isLost = !target.isConnected || target.matches(':disabled') || document.activeElement !== document.body
      if (!isLost && last?.button === target) last = undefined
    })
  }

  const observer = new MutationObserver(recover)
  observer.observe(around, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] })
  around.addEventListener('focusin', focused)
  around.addEventListener('focusout', left)
  return () => {
    observer.disconnect()
    around.removeEventListener('focusin', focused)
    around.removeEventListener('focusout', left)
  }
}
