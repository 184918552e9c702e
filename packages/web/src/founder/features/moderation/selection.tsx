import { useState } from 'react'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { limits } from '@privity/contract/limits'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Checkbox } from '../../../ui/choice/Checkbox.tsx'
import { moderationTexts } from './texts.ts'

export type Selection = ReadonlyMap<string, FlaggedMessage>

/** Adds or removes flags in the selection, limited to the number that one call accepts. */
export function updateSelection(
  selection: Selection,
  flags: readonly FlaggedMessage[],
  isSelected: boolean,
  maxFlags: number = limits.flagsTakenAtOnce,
): Selection {
  const next = new Map(selection)
  for (const flag of flags) {
    if (!isSelected) next.delete(flag.id)
    else if (next.size < maxFlags) next.set(flag.id, flag)
  }
  return next
}

/** Selected flags, including those on other pages of the list. */
export function useFlagSelection() {
  const [selection, setSelection] = useState<Selection>(new Map())
  return {
    selection,
    isFull: selection.size >= limits.flagsTakenAtOnce,
    select: (flags: readonly FlaggedMessage[], isSelected: boolean) =>
      setSelection((current) => updateSelection(current, flags, isSelected)),
    clear: () => setSelection(new Map()),
  }
}

interface SelectionBarProps extends ReturnType<typeof useFlagSelection> {
  rows: readonly FlaggedMessage[]
  onUnflag: () => void
}

/** Selects all flags of the page, shows how many are selected, and offers to unflag them. */
export function SelectionBar({ rows, selection, isFull, select, clear, onUnflag }: SelectionBarProps) {
  const texts = moderationTexts.several
  const isWhole = rows.length > 0 && rows.every(({ id }) => selection.has(id))
  return (
    <div className="mod-selection" role="group" aria-label={texts.selection}>
      <Checkbox
        label={texts.page}
        checked={isWhole}
        disabled={isFull && !isWhole}
        onChange={(event) => select(rows, event.target.checked)}
      />
      <span className="muted" role="status">
        {selection.size > 0 && texts.selected(formatNumber(selection.size))}
        {isFull && ` ${texts.full(formatNumber(limits.flagsTakenAtOnce))}`}
      </span>
      {selection.size > 0 && (
        <>
          <Button size="sm" onClick={onUnflag}>
            {texts.unflag}
          </Button>
          <Button size="sm" variant="ghost" onClick={clear}>
            {texts.clear}
          </Button>
        </>
      )}
    </div>
  )
}
