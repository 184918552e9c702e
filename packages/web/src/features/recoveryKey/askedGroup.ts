/** Reads O as 0, and I and L as 1, as e2ee does; ignores case, spaces and hyphens. */
const bare = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/** Whether the user typed this group (1-based) of the recovery key, or pasted the whole key. */
export const isGroupOf = (recoveryKey: string, group: number, typed: string): boolean =>
  [recoveryKey.split('-')[group - 1] ?? '', recoveryKey].some((right) => bare(right) === bare(typed))
