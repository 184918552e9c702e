import { SealGlyph, type SealState } from '../../ui/indicator/Seal.tsx'
import { trustTexts as texts } from './texts.ts'

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
