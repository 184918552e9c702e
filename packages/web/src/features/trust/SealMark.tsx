import { SealGlyph, type SealState } from '../../ui/indicator/Seal.tsx'
import { trustTexts as texts } from './texts.ts'

/** Glyph and word, as headers show it. */
export function SealWithWord({ state }: { state: SealState }) {
  return (
    <>
      <SealGlyph state={state} />
      {texts[state]}
    </>
  )
}

/** The glyph alone, named for screen readers. */
export function NamedSeal({ state }: { state: SealState }) {
  return (
    <>
      <SealGlyph state={state} />
      <span className="sr">{texts[state]}</span>
    </>
  )
}

/** In a row of a list: only what someone should notice. */
export function RowSeal({ state }: { state: SealState | undefined }) {
  return state === 'verified' || state === 'changed' ? <NamedSeal state={state} /> : null
}
