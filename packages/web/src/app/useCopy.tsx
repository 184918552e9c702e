import { useEffect, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { copyText } from '../browser/clipboard.ts'
import { toast } from '../ui/toast/toastStore.ts'

const copiedForMs = 2_000

interface CopyTexts {
  copied: string
  copyFailed: string
  copyFailedHint?: string
}

/** Copies text and shows a toast. `isCopied` is true, and `icon` a check mark, for two seconds after copying. */
export function useCopy({ copied, copyFailed, copyFailedHint }: CopyTexts) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedForMs)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy(text: string): Promise<void> {
    const isDone = await copyText(text)
    setCopied(isDone)
    if (isDone) return toast({ title: copied })
    toast({ title: copyFailed, ...(copyFailedHint && { description: copyFailedHint }), tone: 'destructive' })
  }

  return { isCopied, icon: isCopied ? <Check className="ic" /> : <Copy className="ic" />, copy }
}
