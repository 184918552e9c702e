import { useId, useState } from 'react'
import { Button } from '../../ui/button/Button.tsx'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { secondFactorTexts } from './texts.ts'
import { SecretActs } from '../../app/secretText/SecretActs.tsx'
import { copyableText } from '../../browser/clipboard.ts'
import '../../app/recoveryKey/recoveryKey.css'

interface RecoveryCodesProps {
  username: string
  codes: readonly string[]
  onDone: () => void
}

/** Shows the new recovery codes, once. */
export function RecoveryCodes({ username, codes, onDone }: RecoveryCodesProps) {
  const texts = secondFactorTexts.saveCodes
  const [saved, setSaved] = useState(false)
  const hintId = useId()

  return (
    <div className="factor-form">
      <p>{texts.lead}</p>
      <ul className="code-list" aria-label={texts.list} {...copyableText}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <SecretActs
        secret={codes.join('\n')}
        file={{ name: texts.fileName(username), text: texts.file(username, codes) }}
        texts={texts}
      />
      <Checkbox label={texts.saved} checked={saved} onChange={(event) => setSaved(event.target.checked)} />
      <Button variant="primary" block disabled={!saved} aria-describedby={hintId} onClick={onDone}>
        {texts.proceed}
      </Button>
      {!saved && (
        <p className="hint" id={hintId}>
          {texts.savedHint}
        </p>
      )}
    </div>
  )
}
