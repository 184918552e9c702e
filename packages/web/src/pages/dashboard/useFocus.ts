import { useEffect, useRef } from 'react'

/** Id of a row's button in the list. */
export const rowId = (connectionId: string) => `connection-${connectionId}`

/** Returns the focus to the element that opened the sheet. */
export function useFocusReturn(open: boolean): void {
  const opener = useRef<Element>(null)
  if (open && !opener.current) opener.current = document.activeElement
  useEffect(() => {
    if (open) return
    const element = opener.current
    opener.current = null
    if (element instanceof HTMLElement && element.isConnected) element.focus()
  }, [open])
}

/** Focuses the composer, or on a phone the conversation, because the keyboard would cover half of it. */
export function focusConversation(onPhone: boolean): void {
  const main = document.getElementById('main')
  if (onPhone) main?.focus()
  else main?.querySelector('textarea')?.focus()
}

/** Moves the focus when the conversation changes: into it, or when it is left, to its row. */
export function useFocusOnChange(connectionId: string | undefined, onPhone: boolean, chatIsThere: boolean): void {
  const before = useRef(connectionId)
  useEffect(() => {
    if (connectionId && !chatIsThere) return
    const left = before.current
    before.current = connectionId
    if (left === connectionId) return
    if (connectionId) focusConversation(onPhone)
    else document.getElementById(rowId(left ?? ''))?.focus()
  }, [connectionId, onPhone, chatIsThere])
}
