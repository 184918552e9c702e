import { defaultLanguage } from '../languages.ts'
import type { Policy, Preferences } from './preferences.ts'

// Separate from the schemas, so that a first screen has these without loading zod.
export const defaultPreferences: Readonly<Preferences> = {
  emailNotifications: false,
  pushNotifications: true,
  messageNotifications: true,
  connectionNotifications: true,
  soundEnabled: true,
  theme: 'system',
  fontSize: 'medium',
  compactMode: false,
  animationsEnabled: true,
  dateFormat: 'MM/DD/YYYY',
  timeFormat: '12h',
  language: defaultLanguage,
  autoSync: true,
  backgroundSync: true,
  dataCompression: true,
  preloadMessages: true,
  approveAtSending: false,
  enterBreaksLine: false,
  readReceipts: true,
  onlineStatus: true,
  profileVisibility: true,
  screenshotProtection: true,
  sessionTimeout: true,
  loginNotifications: true,
  dataDownloads: false,
}

export const defaultPolicy: Readonly<Policy> = {
  twoFactor: false,
  twoFactorFrom: 0,
  screenshotProtection: false,
  watermark: true,
  sessionTimeout: false,
  onlyApprovedBrowsers: false,
  lockAfter: 0,
  pushForbidden: false,
  directory: false,
}
