import { useEffect, useState } from 'react'
import { Download } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { saveBlob } from '../../browser/download.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { recoveryKeyTexts as texts } from './texts.ts'
import { loadClient } from '../../app/session.ts'
import { toastError } from '../../app/callError.ts'
import { useCopy } from '../../app/useCopy.tsx'
import { copyableText } from '../../browser/clipboard.ts'
import '../../app/recoveryKey/recoveryKey.css'

interface SaveRecoveryKeyProps {
  username: string
  recoveryKey: string
  busy?: boolean
  onContinue: () => void
}

/** Shows a recovery key once. The browser warns before the page is left until the box is ticked. */
export function SaveRecoveryKey({ username, recoveryKey, busy = false, onContinue }: SaveRecoveryKeyProps) {
  const [saved, setSaved] = useState(false)
  const { isCopied, icon, copy } = useCopy({
    copied: texts.copiedToast,
    copyFailed: texts.copyFailed,
    copyFailedHint: texts.copyFailedWhy,
  })

  useEffect(() => {
    if (saved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [saved])

  return (
    <>
      <ol className="key-groups" aria-label={texts.keyLabel} {...copyableText}>
        {recoveryKey.split('-').map((group, place) => (
          <li key={`${place} ${group}`}>{group}</li>
        ))}
      </ol>
      <div className="key-acts">
        <Button onClick={() => void copy(recoveryKey)}>
          {icon}
          {isCopied ? texts.copied : texts.copy}
        </Button>
        <Button
          onClick={() =>
            saveBlob(texts.fileName(username), new Blob([texts.file(username, recoveryKey)], { type: 'text/plain' }))
          }
        >
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
    onError: (error) => toastError(error, texts.notConfirmed, texts.notConfirmedWhy),
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
