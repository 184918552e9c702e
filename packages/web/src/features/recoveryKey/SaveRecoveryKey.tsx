import { type FormEvent, useEffect, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Button } from '../../ui/button/Button.tsx'
import { InputField } from '../../ui/field/Field.tsx'
import { recoveryKeyTexts as texts } from './texts.ts'
import { loadClient } from '../../app/session.ts'
import { toastError } from '../../app/callError.ts'
import { SecretActs } from '../../app/secretText/SecretActs.tsx'
import { copyableText } from '../../browser/clipboard.ts'
import { isGroupOf } from './askedGroup.ts'
import '../../app/recoveryKey/recoveryKey.css'

interface SaveRecoveryKeyProps {
  username: string
  recoveryKey: string
  busy?: boolean
  onContinue: () => void
}

/**
 * Shows a recovery key once, then hides it and asks for one of its groups from the copy that the user has made. The
 * browser warns before the page is left until that group is correct.
 */
export function SaveRecoveryKey({ username, recoveryKey, busy = false, onContinue }: SaveRecoveryKeyProps) {
  const [isHidden, setHidden] = useState(false)
  const [isSaved, setSaved] = useState(false)

  useEffect(() => {
    if (isSaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isSaved])

  function proceed() {
    setSaved(true)
    onContinue()
  }

  if (isHidden)
    return <AskedGroup recoveryKey={recoveryKey} busy={busy} onRight={proceed} onShow={() => setHidden(false)} />
  return (
    <>
      <ol className="key-groups" aria-label={texts.keyLabel} {...copyableText}>
        {recoveryKey.split('-').map((group, place) => (
          <li key={`${place} ${group}`}>{group}</li>
        ))}
      </ol>
      <SecretActs
        secret={recoveryKey}
        file={{ name: texts.fileName(username), text: texts.file(username, recoveryKey) }}
        texts={texts}
      />
      <Button variant="primary" block aria-describedby="continue-hint" onClick={() => setHidden(true)}>
        {texts.saved}
      </Button>
      <p className="hint" id="continue-hint">
        {texts.savedHint}
      </p>
    </>
  )
}

interface AskedGroupProps {
  recoveryKey: string
  busy: boolean
  onRight: () => void
  onShow: () => void
}

const asked = 3

function AskedGroup({ recoveryKey, busy, onRight, onShow }: AskedGroupProps) {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (isGroupOf(recoveryKey, asked, typed)) return onRight()
    setError(texts.groupWrong(asked))
  }

  return (
    <form className="key-ask" onSubmit={submit} noValidate>
      <InputField
        label={texts.group(asked)}
        hint={texts.groupHint}
        error={error}
        mono
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setError(undefined)
        }}
      />
      <Button type="submit" variant="primary" block busy={busy}>
        {texts.proceed}
      </Button>
      <Button variant="ghost" block disabled={busy} onClick={onShow}>
        {texts.showAgain}
      </Button>
    </form>
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
