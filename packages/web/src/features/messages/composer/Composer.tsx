import {
  type ChangeEvent,
  type CompositionEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useEffect,
  useMemo,
  useState,
  lazy,
  Suspense,
} from 'react'
import { CornerDownLeft, SendHorizontal } from 'lucide-react'
import type { Absence, Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { isVisible } from '@privity/contract/visible'
import { fingers, useMediaQuery } from '../../../browser/mediaQueries.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { classes } from '../../../ui/classes.ts'
import { characters, counterTone, fitLimit } from './characters.ts'
import type { Correspondent } from '../conversation/Conversation.tsx'
import { messageTexts as texts } from '../texts.ts'
import { useStore } from '../../../ui/useStore.ts'
import { draftStateOf } from './draftState.ts'
import { repliesByConnection, setReply } from '../quotes/reply.ts'
import { toastError } from '../../../app/callError.ts'
import { savesBeforeLock } from '../../../app/lockTime.ts'
import { usePreferences } from '../../../app/preferences/preferences.ts'
import { CodeLoading } from '../../../app/useWanted.ts'
import { Parts } from './Parts.tsx'
import { maxParts, splitText } from './splitText.ts'
import './composer.css'

// Loaded when needed: few contacts are away for so long that these are shown.
const AbsenceNotice = lazy(async () => ({ default: (await import('./Absence.tsx')).AbsenceNotice }))
const AbsenceQuestion = lazy(async () => ({ default: (await import('./Absence.tsx')).AbsenceQuestion }))
const ReplyBar = lazy(async () => ({ default: (await import('../quotes/Quoted.tsx')).ReplyBar }))

interface ComposerProps {
  client: Client
  connectionId: string
  other: Correspondent
  /** Shown above everything else. */
  notice: ReactNode
  /** Reason why nothing can be sent, shown above the field; disables sending. */
  blocked?: ReactNode
  /** Shown above the field; where they can receive nothing, sending asks first. */
  absence?: Absence | undefined
  /** Content at the left of the bar. */
  upload: ReactNode
}

const maxCharacters = limits.messageCharacters

/** Render it with the connection's id as `key`: each conversation has its own draft. */
export function Composer({ client, connectionId, other, notice, blocked, absence, upload }: ComposerProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number>(undefined)
  /** Characters before the word that an input method composes. */
  const countBefore = useRef(0)
  const { text, change, send } = useWriting(client, connectionId)
  const quote = useStore(repliesByConnection).get(connectionId)
  useEffect(() => {
    if (quote) field.current?.focus()
  }, [quote])
  const [asking, setAsking] = useState(false)
  const count = characters(text)
  const parts = useMemo(() => (count > maxCharacters ? splitText(text).length : 1), [text, count])
  const unsendable = !isVisible(text) || parts > maxParts
  const isTouch = useMediaQuery(fingers)
  const { enterBreaksLine } = usePreferences().preferences

  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })
  useFieldHeight(field, text)

  function fit(typed: string, at: number) {
    const fitted = fitLimit(typed, at)
    if (fitted.text !== typed) caret.current = fitted.caret
    change(fitted.text)
  }

  function typed(event: ChangeEvent<HTMLTextAreaElement>) {
    const { value, selectionStart } = event.target
    const composing = (event.nativeEvent as InputEvent).isComposing
    // One more character is typed, and stops at the limit. More of them are pasted, and stay.
    if (composing || count > maxCharacters || characters(value) - count > 1) change(value)
    else fit(value, selectionStart)
  }

  function composed({ currentTarget: { value, selectionStart } }: CompositionEvent<HTMLTextAreaElement>) {
    if (countBefore.current <= maxCharacters) fit(value, selectionStart)
  }

  function pressed(event: KeyboardEvent<HTMLTextAreaElement>) {
    // Key code 229: some input methods confirm a word with an Enter that only this code identifies.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    if (enterBreaksLine && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    submit()
  }

  function breakLine() {
    const element = field.current
    if (!element) return
    element.focus()
    element.setRangeText('\n', element.selectionStart, element.selectionEnd, 'end')
    element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertLineBreak' }))
  }

  function sendNow() {
    setAsking(false)
    if (unsendable) return
    setReply(connectionId, undefined)
    send((error) => {
      setReply(connectionId, quote)
      toastError(error, texts.failed)
    }, quote)
  }

  function submit() {
    if (blocked) return
    if (absence?.canReceive === false && !unsendable) setAsking(true)
    else sendNow()
  }

  function submitted(event: FormEvent) {
    event.preventDefault()
    submit()
    field.current?.focus()
  }

  const tone = counterTone(count)
  return (
    <form className="composer" onSubmit={submitted}>
      {notice}
      {blocked && <div className="composer-alert">{blocked}</div>}
      {!blocked && absence && (
        <div className="composer-alert">
          <Suspense>
            <AbsenceNotice absence={absence} firstName={other.firstName} />
          </Suspense>
        </div>
      )}
      {absence && asking && (
        <Suspense fallback={<CodeLoading />}>
          <AbsenceQuestion absence={absence} firstName={other.firstName} onOpenChange={setAsking} onConfirm={sendNow} />
        </Suspense>
      )}
      {parts > 1 && (
        <div className="composer-alert">
          <Parts count={parts} />
        </div>
      )}
      <div className="composer-in">
        {quote && (
          <Suspense>
            <ReplyBar client={client} connectionId={connectionId} quote={quote} otherName={other.name} />
          </Suspense>
        )}
        <label className="sr" htmlFor={id}>
          {texts.composerLabel(other.name)}
        </label>
        <textarea
          ref={field}
          dir="auto"
          id={id}
          rows={1}
          autoComplete="off"
          value={text}
          placeholder={placeholder(other.firstName, enterBreaksLine, isTouch)}
          enterKeyHint={enterBreaksLine ? 'enter' : 'send'}
          aria-describedby={`${id}-count`}
          onChange={typed}
          onCompositionStart={() => {
            countBefore.current = count
          }}
          onCompositionEnd={composed}
          onKeyDown={pressed}
        />
        <div className="composer-bar">
          {upload}
          <div className="end">
            <span className={classes('num counter', `counter-${tone}`)} id={`${id}-count`}>
              <span aria-hidden="true">{texts.counter(count, maxCharacters)}</span>
              <span className="sr">{texts.counterName(count, maxCharacters)}</span>
            </span>
            {isTouch && !enterBreaksLine && (
              <Button
                variant="ghost"
                icon
                aria-label={texts.breakLine}
                title={texts.breakLine}
                // Keeps the focus in the field, and the keyboard on the screen.
                onMouseDown={(event) => event.preventDefault()}
                onClick={breakLine}
              >
                <CornerDownLeft className="ic" />
              </Button>
            )}
            <Button type="submit" variant="primary" size="sm" disabled={unsendable || Boolean(blocked)}>
              <SendHorizontal className="ic" />
              {texts.send}
            </Button>
          </div>
        </div>
      </div>
    </form>
  )
}

/** Says how to send, as far as the device has such keys. */
function placeholder(firstName: string, enterBreaksLine: boolean, isTouch: boolean): string {
  if (!enterBreaksLine) return texts.placeholder(firstName)
  return isTouch ? texts.placeholderTouch(firstName) : texts.placeholderBreaks(firstName)
}

const sizesItself = CSS.supports('field-sizing', 'content')

/** Grows the field with its text in browsers without `field-sizing`. */
function useFieldHeight(field: { current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const element = field.current
    if (sizesItself || !element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [field, text])
}

/** The text of a conversation's field, stored encrypted on this device so that it survives a reload. */
function useWriting(client: Client, connectionId: string) {
  const writing = useMemo(() => draftStateOf(client, connectionId), [client, connectionId])

  useEffect(() => {
    const leave = writing.enter()
    const save = () => void writing.save()
    const hidden = () => {
      if (document.visibilityState === 'hidden') save()
    }
    addEventListener('pagehide', save)
    savesBeforeLock.add(writing.save)
    document.addEventListener('visibilitychange', hidden)
    return () => {
      removeEventListener('pagehide', save)
      savesBeforeLock.delete(writing.save)
      document.removeEventListener('visibilitychange', hidden)
      leave()
    }
  }, [writing])

  return { text: useStore(writing), change: writing.change, send: writing.send }
}
