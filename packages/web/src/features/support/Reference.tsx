import { useEffect, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { copyText } from '../../browser/clipboard.ts'
import { copyableText } from '../../browser/copyableText.ts'
import { Button } from '../../ui/button/Button.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { supportTexts } from './texts.ts'

const copiedFor = 2_000

export function Reference({ reference }: { reference: string }) {
  const texts = supportTexts.reference
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedFor)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    const done = await copyText(reference)
    setCopied(done)
    toast(done ? { title: texts.copied } : { title: texts.copyFailed, tone: 'destructive' })
  }

  return (
    <span className="support-ref" {...copyableText}>
      <code>{reference}</code>
      <Button variant="ghost" size="sm" icon aria-label={texts.copy(reference)} onClick={() => void copy()}>
        {copied ? <Check className="ic" /> : <Copy className="ic" />}
      </Button>
    </span>
  )
}
