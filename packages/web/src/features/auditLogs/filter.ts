import { idPattern } from '@privity/contract/fileRef'

/** Filter for audit log entries, as stored in the address. */
export interface AuditFilter {
  action: string
  /** Id of the actor or target. */
  person: string
  /** YYYY-MM-DD in the reader's time zone, both days inclusive. */
  from: string
  to: string
}

const dayPattern = /^\d{4}-\d\d-\d\d$/
const actionPattern = /^[a-z0-9_]{1,64}$/

/** Parses the filter from the address and drops values that the server would refuse. */
export function readFilter(address: URLSearchParams): AuditFilter {
  const read = (key: string, pattern: RegExp) => {
    const value = address.get(key) ?? ''
    return pattern.test(value) ? value : ''
  }
  return {
    action: read('action', actionPattern),
    person: read('person', idPattern),
    from: read('from', dayPattern),
    to: read('to', dayPattern),
  }
}

export const isFiltered = (filter: AuditFilter): boolean => Object.values(filter).some((value) => value !== '')

/** The start of a day, or of the day `offset` days later, in ms; undefined for an invalid date. */
function startOfDay(text: string, offset = 0): number | undefined {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number)
  const ms = new Date(year, month - 1, date + offset).getTime()
  return text === '' || Number.isNaN(ms) || ms < 0 ? undefined : ms
}

/** Time range from the start of the first day to the end of the last day. */
export function timeRange({ from, to }: Pick<AuditFilter, 'from' | 'to'>): { from?: number; to?: number } {
  const start = startOfDay(from)
  const end = startOfDay(to, 1)
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) }
}

/** Whether the first day is after the last, so that no entry can match. */
export const isReversed = ({ from, to }: Pick<AuditFilter, 'from' | 'to'>): boolean =>
  from !== '' && to !== '' && from > to
