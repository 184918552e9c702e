import { useEffect, useRef, useState } from 'react'
import { isControlShift } from '../../browser/shortcut.ts'

/** Id of the button that opens the find bar. */
export const findButtonId = 'chat-find'

const findButton = () => document.getElementById(findButtonId)

/**
 * The find bar of a conversation, which Ctrl+Shift+F opens too. When it closes, the focus returns to where it was.
 * The shortcut does nothing while a dialog is open or the sheet covers the conversation.
 */
export function useFind(connectionId: string) {
  /** The conversation whose find bar is open. */
  const [searched, setSearched] = useState<string>()
  const isOpen = searched === connectionId
  const before = useRef<Element>(null)
  const open = () => {
    before.current = document.activeElement
    setSearched(connectionId)
  }
  const close = () => {
    setSearched(undefined)
    const { current } = before
    const isThere = current instanceof HTMLElement && current.isConnected && current !== document.body
    ;(isThere ? current : findButton())?.focus()
  }

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isControlShift(event, 'f') || findButton()?.closest('[aria-hidden=true], [inert]')) return
      event.preventDefault()
      const field = document.querySelector<HTMLInputElement>('.find input')
      if (!field?.matches(':focus')) open()
      field?.focus()
      field?.select()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
  return { isOpen, open, close }
}
