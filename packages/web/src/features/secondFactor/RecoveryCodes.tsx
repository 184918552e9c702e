import { Copy, Download } from 'lucide-react'
import { ownText } from '../../core/ownText.ts'
import { copyText } from '../../core/copyText.ts'
import { saveBlob } from '../../core/saveBlob.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toastStore.ts'
import { secondFactorTexts } from './texts.ts'
import '../../styles/recoveryKey.css'

interface RecoveryCodesProps {
  username: string
  codes: readonly string[]
  onDone: () => void
}

/** Shown once, after they were made. */
export function RecoveryCodes({ username, codes, onDone }: RecoveryCodesProps) {
  const texts = secondFactorTexts.saveCodes

  async function copy() {
    if (await copyText(codes.join('\n'))) toast({ title: texts.copied })
    else toast({ title: texts.copyFailed, description: texts.copyFailedWhy, tone: 'destructive' })
  }

  return (
    <div className="factor-form">
      <p>{texts.lead}</p>
      <ul className="code-list" aria-label={texts.list} {...ownText}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="key-acts">
        <Button onClick={() => void copy()}>
          <Copy className="ic" />
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
      <Button variant="primary" block onClick={onDone}>
        {texts.finish}
      </Button>
    </div>
  )
}
