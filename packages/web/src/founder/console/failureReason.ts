import { isCallError, messageFor } from '../../app/callError.ts'

/** The server itself, not a proxy, returns 503: its database is unavailable. */
export const isDatabaseAway = (error: unknown): boolean =>
  isCallError(error) && error.code === 'UNAVAILABLE' && !error.unexplained

/** Why a section failed to load; empty if the database is unavailable, which Monitoring reports for all sections. */
export const reasonOf = (error: unknown): string => (isDatabaseAway(error) ? '' : messageFor(error, ''))
