import { Check, Copy, Share2 } from 'lucide-react'
import { Button } from '../../../ui/button/Button.tsx'
import { connectionTexts as texts } from '../texts.ts'
import { useShareCode } from './useShareCode.ts'

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
