import { useEffect, useState } from 'react'
import { Check, Copy, Download } from 'lucide-react'
import { Button } from '../../ui/button/Button.tsx'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { copyText } from '../../browser/clipboard.ts'
import { copyableText } from '../../browser/copyableText.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { recoveryKeyTexts as texts } from './texts.ts'
import { useMutation } from '@tanstack/react-query'
import { messageFor } from '../../app/callError.ts'
import { loadClient } from '../../app/session.ts'
import '../../app/recoveryKey/recoveryKey.css'

const copiedFor = 2_000

interface SaveRecoveryKeyProps {
  username: string
  recoveryKey: string
  busy?: boolean
  onContinue: () => void
}

/** Shows a recovery key once. The browser warns before the page is left until the box is ticked. */
export function SaveRecoveryKey({ username, recoveryKey, busy = false, onContinue }: SaveRecoveryKeyProps) {
  const [saved, setSaved] = useState(false)
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (saved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [saved])

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedFor)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    if (await copyText(recoveryKey)) {
      setCopied(true)
      toast({ title: texts.copiedToast })
    } else toast({ title: texts.copyFailed, description: texts.copyFailedWhy, tone: 'destructive' })
  }

  function download() {
    const address = URL.createObjectURL(new Blob([texts.file(username, recoveryKey)], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = address
    link.download = texts.fileName(username)
    link.click()
    URL.revokeObjectURL(address)
  }

  return (
    <>
      <ol className="key-groups" aria-label={texts.keyLabel} {...copyableText}>
        {recoveryKey.split('-').map((group, place) => (
          <li key={`${place} ${group}`}>{group}</li>
        ))}
      </ol>
      <div className="key-acts">
        <Button onClick={() => void copy()}>
          {copied ? <Check className="ic" /> : <Copy className="ic" />}
          {copied ? texts.copied : texts.copy}
        </Button>
        <Button onClick={download}>
          <Download className="ic" />
          {texts.download}
        </Button>
      </div>
      <Checkbox label={texts.saved} checked={saved} onChange={(event) => setSaved(event.target.checked)} />
      <Button
        variant="primary"
        block
        busy={busy}
        disabled={!saved}
        aria-describedby="continue-hint"
        onClick={onContinue}
      >
        {texts.proceed}
      </Button>
      {!saved && (
        <p className="hint" id="continue-hint">
          {texts.savedHint}
        </p>
      )}
    </>
  )
}

interface NewAccountKeyProps {
  username: string
  recoveryKey: string
  onSaved: () => void
}

/** Shows a new account's recovery key. The account stores that it was saved, so it applies in every browser. */
export function NewAccountKey({ username, recoveryKey, onSaved }: NewAccountKeyProps) {
  const confirm = useMutation({
    mutationFn: async () => (await loadClient()).ownAccount.confirmRecoveryKey(),
    onSuccess: onSaved,
    onError: (error) =>
      toast({ title: texts.notConfirmed, description: messageFor(error, texts.notConfirmedWhy), tone: 'destructive' }),
  })
  return (
    <SaveRecoveryKey
      username={username}
      recoveryKey={recoveryKey}
      busy={confirm.isPending}
      onContinue={() => confirm.mutate()}
    />
  )
}
