import { useCallback } from 'react'
import { navigate, useHistoryState, useSearch } from 'wouter/use-browser-location'
import { phone } from '../../browser/mediaQueries.ts'
import { addressOf, currentSelection, type Selection, shownConversation } from './shownConversation.ts'

const go = (state: Selection, replace: boolean) => navigate(addressOf(state.connectionId), { state, replace })

/** Opens a conversation from any page. Back returns to that page, or to the list if another conversation was open. */
export function showConversation(connectionId: string, more: { sheet?: boolean; review?: boolean } = {}): void {
  const state: Selection = {
    connectionId,
    ...(more.sheet ? { sheet: 'same entry' } : {}),
    ...(more.review ? { review: true } : {}),
  }
  go(state, shownConversation() !== undefined)
}

/** The open conversation and whether its sheet or the file requests are open. */
export function useSelection() {
  // Subscribes to both parts of a history entry that the selection is read from.
  useHistoryState<unknown>()
  useSearch()
  const { connectionId, sheet, review } = currentSelection()

  const select = useCallback((id: string) => {
    const now = currentSelection()
    if (now.connectionId !== id) go({ connectionId: id }, now.connectionId !== undefined)
  }, [])

  const openSheet = useCallback(() => {
    const now = currentSelection()
    if (!now.connectionId || now.sheet) return
    const ownEntry = matchMedia(phone).matches
    go({ connectionId: now.connectionId, sheet: ownEntry ? 'own entry' : 'same entry' }, !ownEntry)
  }, [])

  const closeSheet = useCallback(() => {
    const now = currentSelection()
    if (now.sheet === 'own entry') history.back()
    else if (now.sheet) go({ connectionId: now.connectionId }, true)
  }, [])

  /** Returns to the list, the history entry before the chat's. */
  const leave = useCallback(() => history.back(), [])

  const endReview = useCallback(() => {
    const { review: open, ...rest } = currentSelection()
    if (open) go(rest, true)
  }, [])

  /** Used if the connection no longer exists. */
  const clear = useCallback(() => go({}, true), [])

  return {
    connectionId,
    sheetOpen: sheet !== undefined,
    reviewing: review === true,
    select,
    openSheet,
    closeSheet,
    endReview,
    leave,
    clear,
  }
}
