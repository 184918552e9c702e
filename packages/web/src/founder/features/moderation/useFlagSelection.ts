import { useState } from 'react'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { limits } from '@privity/contract/limits'

export type Selection = ReadonlyMap<string, FlaggedMessage>

/** Adds or removes flags in the selection, limited to the number that one call accepts. */
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

/** Selected flags, including those on other pages of the list. */
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
