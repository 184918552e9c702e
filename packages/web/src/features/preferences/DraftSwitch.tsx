import { SwitchRow } from '../../ui/section/Section.tsx'
import { preferenceTexts as texts } from './texts.ts'
import type { Draft } from './useDraft.ts'

/** A switch that changes the draft; Save stores it. */
export function DraftSwitch({ name, draft }: { name: keyof typeof texts.switches; draft: Draft }) {
  return (
    <SwitchRow {...texts.switches[name]} checked={draft.values[name]} onChange={(on) => draft.change({ [name]: on })} />
  )
}
