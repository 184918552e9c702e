import { isCallError, sentenceOf } from '../../app/callError.ts'

/** The server answers 503 itself, not a proxy in its place: what it stands on does not answer it. */
export const isDatabaseAway = (error: unknown): boolean =>
  isCallError(error) && error.code === 'UNAVAILABLE' && !error.unexplained

/** Why a section could not be loaded; empty where the database is away, which Monitoring says once for all of them. */
export const reasonOf = (error: unknown): string => (isDatabaseAway(error) ? '' : sentenceOf(error, ''))
