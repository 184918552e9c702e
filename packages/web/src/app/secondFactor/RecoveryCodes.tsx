import { type ComponentProps, useId, useState } from 'react'
import { copyableText } from '../../browser/clipboard.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { SecretActs } from '../secretText/SecretActs.tsx'
import '../recoveryKey/recoveryKey.css'
import './secondFactor.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  file: ComponentProps<typeof SecretActs>['file']
  texts: ComponentProps<typeof SecretActs>['texts'] & {
    lead: string
    list: string
    saved: string
    savedHint?: string
    proceed: string
  }
  onDone: () => void
}

/** Shows the new recovery codes, once. */
export function RecoveryCodes({ codes, file, texts, onDone }: RecoveryCodesProps) {
  const [isSaved, setSaved] = useState(false)
  const hintId = useId()
  const hint = isSaved ? undefined : texts.savedHint

  return (
    <div className="factor-form">
      <p>{texts.lead}</p>
      <ul className="code-list" aria-label={texts.list} {...copyableText}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <SecretActs secret={codes.join('\n')} file={file} texts={texts} />
      <Checkbox label={texts.saved} checked={isSaved} onChange={(event) => setSaved(event.target.checked)} />
      <Button variant="primary" block disabled={!isSaved} aria-describedby={hint && hintId} onClick={onDone}>
        {texts.proceed}
      </Button>
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  )
}
