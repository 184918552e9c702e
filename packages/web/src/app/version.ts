import { version as number } from '../../package.json'

/** The version as displayed, for example v2.1.0. */
export const version = `v${number}`
