const name = 'privity:message-copied'

/** Announces that a button copied a message. The copy shortcut is detected separately. */
export const publishMessageCopied = (): void => void window.dispatchEvent(new Event(name))

/** Calls `notify` for such copies until the signal aborts. */
export const onMessageCopied = (notify: () => void, signal: AbortSignal): void =>
  window.addEventListener(name, notify, { signal })
