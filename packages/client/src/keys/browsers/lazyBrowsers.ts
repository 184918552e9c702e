/** One lazily loaded chunk: what a browser that is not listed yet needs, and the mode "Only approved browsers". */
export { sealToBrowsers } from './browserList.ts'
export { signMode, verifyMode } from './browserMode.ts'
export { createBrowserSettings } from './browserSettings.ts'
export { openOwnBrowser } from './ownBrowser.ts'
export { openSealedSeeds } from './sealedSeeds.ts'
