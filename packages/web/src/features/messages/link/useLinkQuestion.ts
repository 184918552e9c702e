import { type MouseEvent, useMemo, useState } from 'react'

/** A pressed link of a message, and the address as it is written there. */
interface PressedLink {
  messageId: string | undefined
  href: string
  text: string
}

/** The link to ask about before it opens. Attach the handlers to the element that contains the messages. */
export function useLinkQuestion() {
  const [link, setLink] = useState<PressedLink>()
  const linkHandlers = useMemo(() => {
    function ask(event: MouseEvent) {
      const pressed = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('.msg-link') : null
      if (!pressed || event.button === 2) return
      event.preventDefault()
      const messageId = pressed.closest<HTMLElement>('[data-message]')?.dataset['message']
      setLink({ messageId, href: pressed.href, text: pressed.textContent })
    }
    // The middle button opens a link, too, and is no click.
    return { onClick: ask, onAuxClick: ask }
  }, [])
  return { link, closeLink: () => setLink(undefined), linkHandlers }
}
