import { type FormEvent, type KeyboardEvent, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import type { Client } from '@privity/client'
import { Button } from '../../../ui/button/Button.tsx'
import { Input } from '../../../ui/field/Field.tsx'
import { historyQuery } from '../queries.ts'
import { useOlderMessages } from '../conversation/useOlderMessages.ts'
import { messageTexts } from '../texts.ts'
import { findMessages, searchedText } from './findMessages.ts'
import './find.css'

interface FindBarProps {
  client: Client
  connectionId: string
  onClose: () => void
}

/** Searches the open conversation in this browser, after loading all of it, and scrolls to one match at a time. */
export function FindBar({ client, connectionId, onClose }: FindBarProps) {
  const texts = messageTexts.find
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed)
  const history = useQuery(historyQuery(client, connectionId)).data
  const { older, loadOlder } = useOlderMessages(client, connectionId)
  useEffect(() => {
    if (history?.older === true) loadOlder()
  }, [history, loadOlder])

  const messages = history?.messages
  const found = useMemo(() => findMessages(messages ?? [], words), [messages, words])
  const [chosen, setChosen] = useState<string>()
  // Begins at the newest match, and again when the chosen message is no match any more.
  const current = chosen !== undefined && found.includes(chosen) ? chosen : found.at(-1)
  const place = current === undefined ? -1 : found.indexOf(current)
  useShownMatch(current)

  const go = (step: 1 | -1) => setChosen(found[(place + step + found.length) % found.length])

  function submit(event: FormEvent) {
    event.preventDefault()
    go(-1)
  }

  function pressed(event: KeyboardEvent) {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.shiftKey) go(1)
    else return
    event.preventDefault()
  }

  const match = messages?.find(({ id }) => id === current)
  const isBlank = words.trim() === ''
  const noMatch = older.isFetching
    ? texts.loading
    : history?.older === true && older.error
      ? texts.notAllLoaded
      : texts.none
  const count = isBlank ? '' : match ? texts.place(place + 1, found.length) : noMatch
  const none = found.length === 0
  return (
    <form className="find" role="search" aria-label={texts.label} onSubmit={submit} onKeyDown={pressed}>
      <div className="input-wrap">
        <Search className="ic" />
        <Input
          type="search"
          aria-label={texts.label}
          autoFocus
          maxLength={100}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <span className="find-count" aria-hidden="true">
        {count}
      </span>
      <span className="sr" role="status">
        {match && !isBlank ? `${count}. ${searchedText(match)}` : count}
      </span>
      <Button variant="ghost" icon aria-label={texts.previous} disabled={none} onClick={() => go(-1)}>
        <ChevronUp className="ic" />
      </Button>
      <Button variant="ghost" icon aria-label={texts.next} disabled={none} onClick={() => go(1)}>
        <ChevronDown className="ic" />
      </Button>
      <Button variant="ghost" icon aria-label={texts.close} onClick={onClose}>
        <X className="ic" />
      </Button>
    </form>
  )
}

/** Scrolls to this message and marks it. Written past React, so that the other rows need not render again. */
function useShownMatch(messageId: string | undefined): void {
  useEffect(() => {
    const row = document.querySelector<HTMLElement>(`[data-message="${messageId ?? ''}"]`)
    if (!row) return
    row.dataset['found'] = ''
    row.scrollIntoView({ block: 'center' })
    return () => {
      delete row.dataset['found']
    }
  }, [messageId])
}
