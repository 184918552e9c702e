/** Which entries are shown; as it stands in the address. */
export interface AuditFilter {
  action: string
  /** The id of who did it or to whom it was done. */
  person: string
  /** YYYY-MM-DD in the reader's own time zone, both days included. */
  from: string
  to: string
}

const day = /^\d{4}-\d\d-\d\d$/
const name = /^[a-z0-9_]{1,64}$/
const id = /^[0-9a-f-]{36}$/

/** What the address says, without what no server would understand. */
export function readFilter(address: URLSearchParams): AuditFilter {
  const read = (key: string, form: RegExp) => {
    const value = address.get(key) ?? ''
    return form.test(value) ? value : ''
  }
  return { action: read('action', name), person: read('person', id), from: read('from', day), to: read('to', day) }
}

export const isFiltered = (filter: AuditFilter): boolean => Object.values(filter).some((value) => value !== '')

/** The beginning of a day, or of one some days later, in ms; undefined for a day that there is not. */
function beginning(text: string, later = 0): number | undefined {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number)
  const begins = new Date(year, month - 1, date + later)
  const ms = begins.getTime()
  return text === '' || Number.isNaN(ms) || ms < 0 ? undefined : ms
}

/** From the first moment of the one day to before the first after the other. */
export function timesOf({ from, to }: Pick<AuditFilter, 'from' | 'to'>): { from?: number; to?: number } {
  const begins = beginning(from)
  const ends = beginning(to, 1)
  return { ...(begins !== undefined && { from: begins }), ...(ends !== undefined && { to: ends }) }
}

/** Whether the first day comes after the last, so that nothing can be found. */
export const isReversed = ({ from, to }: Pick<AuditFilter, 'from' | 'to'>): boolean =>
  from !== '' && to !== '' && from > to
