/** Kept in the browser's history, so that its Back button closes the sheet and leaves the chat on a phone. */
export interface Selection {
  connectionId?: string
  /** Whether the sheet is open, and whether it has its own entry in the history. */
  sheet?: 'own entry' | 'same entry'
  /** Whether the requests for one's files are open. */
  review?: true
}

export function readSelection(state: unknown): Selection {
  if (typeof state !== 'object' || state === null) return {}
  const { connectionId, sheet, review } = state as Record<string, unknown>
  if (typeof connectionId !== 'string') return {}
  return {
    connectionId,
    ...(sheet === 'own entry' || sheet === 'same entry' ? { sheet } : {}),
    ...(review === true ? { review } : {}),
  }
}

/** The conversation that is on the screen. */
export const shownConversation = (): string | undefined =>
  location.pathname === '/' ? readSelection(history.state).connectionId : undefined
