import { Check, Copy, Share2 } from 'lucide-react'
import { Button } from '../../../ui/button/Button.tsx'
import { connectionTexts as texts } from '../texts.ts'
import { useEffect, useState } from 'react'
import { copyText } from '../../../browser/clipboard.ts'
import { toast } from '../../../ui/toast/toastStore.ts'

/** For the code card: two equal, quiet buttons. */
export function CardShareButtons({ code }: { code: string }) {
  const { copied, copy, share } = useShareCode(code)
  return (
    <div className="deed-act">
      <Button size="sm" onClick={() => void copy()}>
        {copied ? <Check className="ic" /> : <Copy className="ic" />}
        {copied ? texts.copied : texts.copyCode}
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
  const { copied, copy, share } = useShareCode(code)
  return (
    <>
      <Button variant="primary" onClick={() => void share()}>
        <Share2 className="ic" />
        {texts.share}
      </Button>
      <Button onClick={() => void copy()}>
        {copied ? <Check className="ic" /> : <Copy className="ic" />}
        {copied ? texts.copied : texts.copyCode}
      </Button>
    </>
  )
}

const copiedFor = 2_000

async function copyOrSay(text: string, success: string): Promise<boolean> {
  const copied = await copyText(text)
  if (copied) toast({ title: success })
  else toast({ title: texts.copyFailed, description: texts.copyFailedHint, tone: 'destructive' })
  return copied
}

/** Actions to copy and share a code. `copied` is true for two seconds after copying. */
function useShareCode(code: string) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedFor)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    setCopied(await copyOrSay(code, texts.codeCopied))
  }

  async function share() {
    const text = texts.invitation(code, location.origin)
    if (typeof navigator.share !== 'function') return void (await copyOrSay(text, texts.invitationCopied))
    try {
      await navigator.share({ text })
    } catch (error) {
      const dismissed = error instanceof DOMException && error.name === 'AbortError'
      if (!dismissed) await copyOrSay(text, texts.invitationCopied)
    }
  }

  return { copied, copy, share }
}
