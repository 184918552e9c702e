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

const day = /^\d{4}-\d\d-\d\d$/
const name = /^[a-z0-9_]{1,64}$/

/** Parses the filter from the address and drops values that the server would refuse. */
export function readFilter(address: URLSearchParams): AuditFilter {
  const read = (key: string, form: RegExp) => {
    const value = address.get(key) ?? ''
    return form.test(value) ? value : ''
  }
  return {
    action: read('action', name),
    person: read('person', idPattern),
    from: read('from', day),
    to: read('to', day),
  }
}

export const isFiltered = (filter: AuditFilter): boolean => Object.values(filter).some((value) => value !== '')

/** Start of a day plus `later` days, in ms; undefined for an invalid date. */
function beginning(text: string, later = 0): number | undefined {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number)
  const begins = new Date(year, month - 1, date + later)
  const ms = begins.getTime()
  return text === '' || Number.isNaN(ms) || ms < 0 ? undefined : ms
}

/** Time range from the start of the first day to the end of the last day. */
export function timesOf({ from, to }: Pick<AuditFilter, 'from' | 'to'>): { from?: number; to?: number } {
  const begins = beginning(from)
  const ends = beginning(to, 1)
  return { ...(begins !== undefined && { from: begins }), ...(ends !== undefined && { to: ends }) }
}

/** Whether the first day is after the last, so that no entry can match. */
export const isReversed = ({ from, to }: Pick<AuditFilter, 'from' | 'to'>): boolean =>
  from !== '' && to !== '' && from > to
