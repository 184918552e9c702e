import { TriangleAlert } from 'lucide-react'
import { trustTexts as texts } from './texts.ts'
import './seal.css'

export type SealState = 'verified' | 'linked' | 'unverified' | 'changed'

/** The 16 px glyph: two joined halves, one half with a whole or a broken line for the other, or a triangle. */
export function SealGlyph({ state }: { state: SealState }) {
  if (state === 'changed') return <TriangleAlert className="ic" />
  if (state === 'unverified' || state === 'linked')
    return (
      <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true" className="open">
        <path d="M7.4 .5V4H10.8V7.4H4V13.2H7.4V15.5A7.5 7.5 0 0 1 7.4 .5Z" fill="currentColor" stroke="none" />
        <path
          d="M9.8 1.3A6.9 6.9 0 0 1 9.8 14.7"
          strokeWidth="1.3"
          strokeLinecap="round"
          strokeDasharray={state === 'linked' ? undefined : '2.6 2.4'}
        />
      </svg>
    )
  return (
    <svg viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <path d="M7.4 .5V4H10.8V7.4H4V13.2H7.4V15.5A7.5 7.5 0 0 1 7.4 .5Z" />
      <path d="M8.6 .5V2.8H12V8.6H5.2V12H8.6V15.5A7.5 7.5 0 0 0 8.6 .5Z" />
    </svg>
  )
}

/** Class names for the seal with its label, on a span or a button. */
export const sealClass: Record<SealState, string> = {
  verified: 'seal',
  linked: 'seal seal-linked',
  unverified: 'seal seal-open',
  changed: 'seal seal-changed',
}

/** Glyph and word, for headers. */
export function SealWithWord({ state }: { state: SealState }) {
  return (
    <>
      <SealGlyph state={state} />
      {texts[state]}
    </>
  )
}

/** The glyph with an accessible name. */
export function NamedSeal({ state }: { state: SealState }) {
  return (
    <>
      <SealGlyph state={state} />
      <span className="sr">{texts[state]}</span>
    </>
  )
}

/** For list rows: shows only the states that the user should notice. */
export function RowSeal({ state }: { state: SealState | undefined }) {
  return state === 'verified' || state === 'changed' ? <NamedSeal state={state} /> : null
}
