import { useEffect, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { copyText } from '../../../browser/clipboard.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { digitRows } from './safetyNumber.ts'
import { trustTexts as texts } from '../texts.ts'

const copiedFor = 2_000

export function CopyDigits({ safetyNumber }: { safetyNumber: string }) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedFor)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    const done = await copyText(digitRows(safetyNumber))
    setCopied(done)
    toast(done ? { title: texts.copiedToast } : { title: texts.copyFailed, tone: 'destructive' })
  }

  return (
    <Button onClick={() => void copy()}>
      {copied ? <Check className="ic" /> : <Copy className="ic" />}
      {copied ? texts.copied : texts.copy}
    </Button>
  )
}
