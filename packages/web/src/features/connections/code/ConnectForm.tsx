import { type FormEvent, useId, useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import type { Client } from '@privity/client'
import { normaliseCode } from '@privity/contract/connectionCode'
import type { Connection } from '@privity/contract/connections'
import { messageFor } from '../../../app/callError.ts'
import { forgetOpenedLink, openedLink } from '../../../app/connectionLink.ts'
import { focusInvalidField } from '../../../browser/invalidFields.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { useIsAlert, Input } from '../../../ui/field/Field.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { patchConnections, withConnection } from '../queries.ts'
import { connectionTexts as texts } from '../texts.ts'

const codeCharacters = 64

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
  const [malformed, setMalformed] = useState(false)
  const connect = useMutation({
    mutationFn: (typed: string) => client.connections.create(typed, link?.fingerprint),
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

  function submitted(event: FormEvent): void {
    event.preventDefault()
    if (blank || connect.isPending) return
    if (normaliseCode(code) === undefined) setMalformed(true)
    else connect.mutate(capitals ? code : code.trim())
  }

  return (
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
          maxLength={codeCharacters}
          placeholder={texts.codeExample}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || link ? `${id}-note` : undefined}
          onChange={(event) => typed(event.target.value)}
        />
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
  )
}
