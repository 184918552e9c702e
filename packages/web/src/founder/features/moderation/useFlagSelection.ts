import { useState } from 'react'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { limits } from '@privity/contract/limits'

export type Selection = ReadonlyMap<string, FlaggedMessage>

/** With these flags selected, or no more so; never more than one call takes. */
export function selecting(
  selection: Selection,
  flags: readonly FlaggedMessage[],
  isSelected: boolean,
  most: number = limits.flagsTakenAtOnce,
): Selection {
  const next = new Map(selection)
  for (const flag of flags) {
    if (!isSelected) next.delete(flag.id)
    else if (next.size < most) next.set(flag.id, flag)
  }
  return next
}

/** Flags that are selected, also on other pages of the list. */
export function useFlagSelection() {
  const [selection, setSelection] = useState<Selection>(new Map())
  return {
    selection,
    isFull: selection.size >= limits.flagsTakenAtOnce,
    select: (flags: readonly FlaggedMessage[], isSelected: boolean) =>
      setSelection((current) => selecting(current, flags, isSelected)),
    clear: () => setSelection(new Map()),
  }
}
