import { Share2 } from 'lucide-react'
import { useClient } from '../../../app/session.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { connectionTexts as texts } from '../texts.ts'
import { useCopy } from '../../../app/useCopy.tsx'

/** For the code card: two equal, quiet buttons. */
export function CardShareButtons({ code }: { code: string }) {
  const { isCopied, icon, copy, share } = useShareCode(code)
  return (
    <div className="deed-act">
      <Button size="sm" onClick={() => void copy(code)}>
        {icon}
        {isCopied ? texts.copied : texts.copyCode}
      </Button>
      <Button size="sm" onClick={() => void share()}>
        <Share2 className="ic" />
        {texts.share}
      </Button>
    </div>
  )
}

/** For an empty pane: sharing is the primary action. */
export function PaneShareButtons({ code }: { code: string }) {
  const { isCopied, icon, copy, share } = useShareCode(code)
  return (
    <>
      <Button variant="primary" onClick={() => void share()}>
        <Share2 className="ic" />
        {texts.share}
      </Button>
      <Button onClick={() => void copy(code)}>
        {icon}
        {isCopied ? texts.copied : texts.copyCode}
      </Button>
    </>
  )
}

/** Actions to copy and share a code. */
function useShareCode(code: string) {
  const client = useClient()
  const { isCopied, icon, copy } = useCopy({ ...texts, copied: texts.codeCopied })
  const { copy: copyInvitation } = useCopy({ ...texts, copied: texts.invitationCopied })

  async function share() {
    const text = texts.invitation(code, await client.connections.link(code))
    if (typeof navigator.share !== 'function') return copyInvitation(text)
    try {
      await navigator.share({ text })
    } catch (error) {
      const isDismissed = error instanceof DOMException && error.name === 'AbortError'
      if (!isDismissed) await copyInvitation(text)
    }
  }

  return { isCopied, icon, copy, share }
}
