import { limits } from '@privity/contract/limits'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Checkbox } from '../../../ui/choice/Checkbox.tsx'
import { moderationTexts } from './texts.ts'
import type { useFlagSelection } from './useFlagSelection.ts'

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
