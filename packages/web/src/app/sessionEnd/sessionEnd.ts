import { createTabText } from '../../browser/sessionStorageText.ts'

/** Why an administrator ended the session of this tab, as the server said it; until it is dismissed or somebody signs in. */
export const sessionEnd = createTabText('privity.sessionEnd')
