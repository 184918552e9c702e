import { useEffect, useRef, useState } from 'react'
import { CircleAlert } from 'lucide-react'
import { Button } from '../../../../ui/button/Button.tsx'
import { Dialog } from '../../../../ui/dialog/Dialog.tsx'
import { scanCodes, type ScanState } from './camera.ts'
import type { ScannedCode } from './scannedCode.ts'
import { scanTexts as texts } from './texts.ts'
import './scan.css'

interface ScanDialogProps {
  onFound: (scanned: ScannedCode) => void
  onClose: () => void
}

/** Reads another person's QR code with the camera, which stops when this is unmounted or has found one. */
export function ScanDialog({ onFound, onClose }: ScanDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} description={texts.hint}>
      <Scanner onFound={onFound} />
    </Dialog>
  )
}

const failures = new Set<ScanState>(['denied', 'noCamera', 'inUse', 'failed'])
const refusals = new Set<ScanState>(['foreign', 'other'])

/** In the dialog's content, which is mounted later than the dialog itself. */
function Scanner({ onFound }: Pick<ScanDialogProps, 'onFound'>) {
  const video = useRef<HTMLVideoElement>(null)
  const found = useRef(onFound)
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<ScanState>('asking')
  useEffect(() => {
    found.current = onFound
  })
  useEffect(() => {
    if (!video.current) return
    return scanCodes(video.current, { onState: setState, onFound: (scanned) => found.current(scanned) })
  }, [attempt])

  const isFailed = failures.has(state)
  const isError = isFailed || refusals.has(state)
  return (
    <div className="scan">
      <video ref={video} hidden={isFailed} aria-label={texts.picture} muted playsInline />
      <p className={isError ? 'error' : 'hint'} role="status">
        {isError && <CircleAlert className="ic ic-sm" />}
        {texts.states[state]}
      </p>
      {isFailed && <Button onClick={() => setAttempt(attempt + 1)}>{texts.again}</Button>}
    </div>
  )
}
