import { type FormEvent, useId, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import { sentenceOf } from '../../core/callError.ts'
import { Button } from '../../ui/Button.tsx'
import { Input } from '../../ui/Input.tsx'
import { toast } from '../../ui/toastStore.ts'
import { patchConnections, withConnection } from './queries.ts'
import { connectionTexts as texts } from './texts.ts'

const codeCharacters = 64

export function ConnectForm({ client, onConnected }: { client: Client; onConnected: (made: Connection) => void }) {
  const id = useId()
  const [code, setCode] = useState('')
  const connect = useMutation({
    mutationFn: (typed: string) => client.connections.create(typed),
    onSuccess(made) {
      patchConnections((known) => withConnection(known, made))
      setCode('')
      toast({ title: texts.established })
      onConnected(made)
    },
    onError(error) {
      toast({ title: texts.notEstablished, description: sentenceOf(error, ''), tone: 'destructive' })
    },
  })
  const blank = code.trim() === ''

  function submitted(event: FormEvent) {
    event.preventDefault()
    if (!blank && !connect.isPending) connect.mutate(code)
  }

  return (
    <form className="side-sec" onSubmit={submitted}>
      <label className="h-label" htmlFor={id}>
        {texts.connectTo}
      </label>
      <div className="inline-form">
        <Input
          mono
          id={id}
          value={code}
          maxLength={codeCharacters}
          placeholder={texts.codeExample}
          onChange={(event) => setCode(event.target.value.toUpperCase())}
        />
        <Button type="submit" variant="primary" disabled={blank || connect.isPending}>
          {connect.isPending ? texts.connecting : texts.connect}
        </Button>
      </div>
    </form>
  )
}
