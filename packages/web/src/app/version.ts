import { version as number } from '../../package.json'

/** As it is shown: v2.1.0. */
export const version = `v${number}`
