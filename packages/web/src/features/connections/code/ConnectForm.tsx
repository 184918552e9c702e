import { type FormEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, ScanLine } from 'lucide-react'
import type { Client } from '@privity/client'
import { maxCodeLength, normaliseCode } from '@privity/contract/connectionCode'
import type { Connection } from '@privity/contract/connections'
import { messageFor } from '../../../app/callError.ts'
import { forgetOpenedLink, openedLink } from '../../../app/connectionLink.ts'
import { focusInvalidField } from '../../../browser/invalidFields.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { useIsAlert, Input } from '../../../ui/field/Field.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import type { ScannedCode } from './scan/scannedCode.ts'
import { patchConnections, withConnection } from '../queries.ts'
import { connectionTexts as texts } from '../texts.ts'
import { CodeLoading } from '../../../app/useWanted.ts'

const ScanDialog = lazy(async () => ({ default: (await import('./scan/ScanDialog.tsx')).ScanDialog }))

/** Browsers offer the camera in secure contexts only. */
const hasCameraAccess = () => isSecureContext && typeof navigator.mediaDevices?.getUserMedia === 'function'

interface ConnectFormProps {
  client: Client
  onConnected?: (made: Connection) => void
  /** The dashboard converts input to capitals; connection management keeps it as typed. */
  capitals?: boolean
  words?: ConnectWords
}

/** Toasts and errors for success and failure. */
interface ConnectWords {
  done: { title: string; description?: string }
  failed: (error: unknown) => { title: string; description: string }
}

const refusalOf = ({ title, description }: { title: string; description: string }): string =>
  [title, description].filter(Boolean).join('. ')

const dashboardWords = (): ConnectWords => ({
  done: { title: texts.established },
  failed: (error) => ({ title: texts.notEstablished, description: messageFor(error, '') }),
})

export function ConnectForm(props: ConnectFormProps) {
  const { client, onConnected, capitals = false, words = dashboardWords() } = props
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [link, setLink] = useState(openedLink)
  const [code, setCode] = useState(link?.code ?? '')
  const [scanning, setScanning] = useState(false)
  const [malformed, setMalformed] = useState(false)
  const connect = useMutation({
    mutationFn: ({ code, fingerprint }: ScannedCode) => client.connections.create(code, fingerprint),
    onSuccess(made) {
      forgetLink()
      patchConnections((known) => withConnection(known, made))
      setCode('')
      onConnected?.(made)
      toast(words.done)
    },
    onError: () => focusInvalidField(form.current),
  })
  const blank = code.trim() === ''
  const error = malformed ? texts.malformed : connect.isError ? refusalOf(words.failed(connect.error)) : undefined
  const isAlert = useIsAlert(id, error)

  function forgetLink() {
    setLink(undefined)
    forgetOpenedLink()
  }

  function typed(value: string) {
    forgetLink()
    setCode(capitals ? value.toUpperCase() : value)
    setMalformed(false)
    connect.reset()
  }

  function scanned(found: ScannedCode) {
    setScanning(false)
    typed(found.code)
    const { code, fingerprint } = found
    if (fingerprint !== undefined) setLink({ code, fingerprint })
    connect.mutate(found)
  }

  function submitted(event: FormEvent): void {
    event.preventDefault()
    if (blank || connect.isPending) return
    if (normaliseCode(code) === undefined) setMalformed(true)
    else connect.mutate({ ...link, code: capitals ? code : code.trim() })
  }

  return (
    <>
      <form ref={form} className="side-sec" noValidate onSubmit={submitted}>
        <label className="h-label" htmlFor={id}>
          {texts.connectTo}
        </label>
        <div className="inline-form">
          <Input
            mono
            id={id}
            className={capitals ? undefined : 'as-typed'}
            value={code}
            maxLength={maxCodeLength}
            placeholder={texts.codeExample}
            aria-invalid={error ? true : undefined}
            aria-describedby={error || link ? `${id}-note` : undefined}
            onChange={(event) => typed(event.target.value)}
          />
          {hasCameraAccess() && (
            <Button
              icon
              aria-label={texts.scan}
              title={texts.scan}
              disabled={connect.isPending}
              onClick={() => setScanning(true)}
            >
              <ScanLine className="ic" />
            </Button>
          )}
          <Button type="submit" variant="primary" disabled={blank || connect.isPending}>
            {connect.isPending ? texts.connecting : texts.connect}
          </Button>
        </div>
        {error && (
          <p className="error" id={`${id}-note`} role={isAlert ? 'alert' : undefined}>
            <CircleAlert className="ic ic-sm" />
            {error}
          </p>
        )}
        {link && !error && (
          <p className="hint" id={`${id}-note`}>
            {texts.fromLink}
          </p>
        )}
      </form>
      {scanning && (
        <Suspense fallback={<CodeLoading />}>
          <ScanDialog onFound={scanned} onClose={() => setScanning(false)} />
        </Suspense>
      )}
    </>
  )
}
