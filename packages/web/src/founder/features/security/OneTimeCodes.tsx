import { useState } from 'react'
import { Copy } from 'lucide-react'
import { copyText } from '../../../browser/clipboard.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Checkbox } from '../../../ui/choice/Checkbox.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { securityTexts } from './texts.ts'

/** Shows the new recovery codes, once. */
export function OneTimeCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const texts = securityTexts.factor
  const [isSaved, setSaved] = useState(false)

  async function copy() {
    const isDone = await copyText(codes.join('\n'))
    toast(isDone ? { title: texts.copied } : { title: texts.copyFailed, tone: 'destructive' })
  }

  return (
    <div className="factor-form">
      <p>{texts.codesLead}</p>
      <ul className="code-list" aria-label={texts.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button onClick={() => void copy()}>
        <Copy className="ic" />
        {texts.copy}
      </Button>
      <Checkbox label={texts.saved} checked={isSaved} onChange={(event) => setSaved(event.target.checked)} />
      <Button variant="primary" block disabled={!isSaved} onClick={onDone}>
        {texts.done}
      </Button>
    </div>
  )
}
