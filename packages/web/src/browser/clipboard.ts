/** Copies text to the clipboard. Returns false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Marks an element whose text the user may copy, such as a connection code, so that the deterrents ignore it. */
export const copyableText = { 'data-own-text': true } as const

const name = 'privity:message-copied'

/** Announces that a button copied a message. The copy shortcut is detected separately. */
export const publishMessageCopied = (): void => void window.dispatchEvent(new Event(name))

/** Calls `notify` for such copies until the signal aborts. */
export const onMessageCopied = (notify: () => void, signal: AbortSignal): void =>
  window.addEventListener(name, notify, { signal })
