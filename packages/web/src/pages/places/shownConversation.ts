/** Stored in the history state, so that the Back button closes the sheet and, on a phone, leaves the chat. */
export interface Selection {
  connectionId?: string
  /** How the open sheet is stored: in its own history entry or in that of the conversation. */
  sheet?: 'own entry' | 'same entry'
  /** Whether the dialog of file requests is open. */
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

/** Id of the shown conversation. */
export const shownConversation = (): string | undefined =>
  location.pathname === '/' ? readSelection(history.state).connectionId : undefined

/** Anchor of the list of sessions on /account-settings. */
export const sessionsAnchor = 'signed-in-browsers'

/** Anchor of the list of browsers on /account-settings. */
export const browsersAnchor = 'your-browsers'
