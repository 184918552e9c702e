const name = 'privity:message-copied'

/** Publishes that a button has put a message on the clipboard: the shortcut for copying is noticed by itself. */
export const publishMessageCopied = (): void => void window.dispatchEvent(new Event(name))

/** Notifies of such copies until the signal ends. */
export const onMessageCopied = (notify: () => void, signal: AbortSignal): void =>
  window.addEventListener(name, notify, { signal })
