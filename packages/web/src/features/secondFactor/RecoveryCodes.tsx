import { useId, useState } from 'react'
import { Download } from 'lucide-react'
import { saveBlob } from '../../browser/download.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { secondFactorTexts } from './texts.ts'
import { useCopy } from '../../app/useCopy.tsx'
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
  const { icon, copy } = useCopy({ ...texts, copyFailedHint: texts.copyFailedWhy })
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
      <div className="key-acts">
        <Button onClick={() => void copy(codes.join('\n'))}>
          {icon}
          {texts.copy}
        </Button>
        <Button
          onClick={() =>
            saveBlob(texts.fileName(username), new Blob([texts.file(username, codes)], { type: 'text/plain' }))
          }
        >
          <Download className="ic" />
          {texts.download}
        </Button>
      </div>
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
