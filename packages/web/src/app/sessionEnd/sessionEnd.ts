import { createTabText } from '../../browser/sessionStorageText.ts'

/** The reason why an administrator ended this tab's session, kept until it is dismissed or someone signs in. */
export const sessionEnd = createTabText('privity.sessionEnd')
