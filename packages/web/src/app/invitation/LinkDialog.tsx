import { useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { InputField } from '../../ui/field/Field.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { copyText, copyableText } from '../../browser/clipboard.ts'

interface LinkDialogProps {
  /** Undefined keeps the dialog closed. */
  link: string | undefined
  onClose: () => void
  texts: Record<
    'linkTitle' | 'linkHint' | 'link' | 'copy' | 'copied' | 'copiedHint' | 'notCopied' | 'notCopiedHint' | 'done',
    string
  >
}

/** Shows an invitation link to copy. The link is not shown again. */
export function LinkDialog({ link, onClose, texts }: LinkDialogProps) {
  const [copied, setCopied] = useState<string>()

  async function copy() {
    if (link === undefined) return
    if (await copyText(link)) {
      setCopied(link)
      toast({ title: texts.copied, description: texts.copiedHint })
    } else toast({ title: texts.notCopied, description: texts.notCopiedHint, tone: 'destructive' })
  }

  const isCopied = copied !== undefined && copied === link
  return (
    <Dialog
      open={link !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={texts.linkTitle}
      description={texts.linkHint}
      footer={
        <>
          <Button onClick={onClose}>{texts.done}</Button>
          <Button variant="primary" onClick={() => void copy()}>
            {isCopied ? <Check className="ic" /> : <Copy className="ic" />}
            {isCopied ? texts.copied : texts.copy}
          </Button>
        </>
      }
    >
      <InputField
        label={texts.link}
        {...copyableText}
        className="mono"
        readOnly
        value={link ?? ''}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  )
}
