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

/** The conversation's place in the address, so that a second tab can open it. */
export const addressOf = (connectionId: string | undefined): string =>
  connectionId === undefined ? '/' : `/?c=${connectionId}`

const inAddress = () => new URLSearchParams(location.search).get('c') ?? undefined

/** The selection of the current history entry; an address that was typed or opened in a new tab has no state. */
export function currentSelection(): Selection {
  const selection = readSelection(history.state)
  const connectionId = inAddress()
  return selection.connectionId === undefined && connectionId !== undefined ? { connectionId } : selection
}

/** Puts the list before a conversation whose address was opened directly, so that Back leads there. */
export function adoptAddress(): void {
  const connectionId = inAddress()
  if (location.pathname !== '/' || connectionId === undefined || readSelection(history.state).connectionId) return
  history.replaceState(null, '', '/')
  history.pushState({ connectionId }, '', addressOf(connectionId))
}

/** Id of the shown conversation. */
export const shownConversation = (): string | undefined =>
  location.pathname === '/' ? currentSelection().connectionId : undefined

/** Anchor of the list of sessions on /account-settings. */
export const sessionsAnchor = 'signed-in-browsers'

/** Anchor of the list of browsers on /account-settings. */
export const browsersAnchor = 'your-browsers'

/** Heading of the directory in Connection Management. */
export const directoryAnchor = 'colleagues'
