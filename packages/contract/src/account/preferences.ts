import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { languages } from '../languages.ts'
import { limits } from '../limits.ts'
import { time } from '../values.ts'

/**
 * A member's own preferences, stored with the account and equal in every browser. preferenceDefaults.ts has the default
 * of each; the server stores what differs from it.
 */
export const preferences = z.object({
  emailNotifications: z.boolean().describe('an email when an unread message will expire soon'),
  pushNotifications: z.boolean(),
  messageNotifications: z.boolean(),
  connectionNotifications: z.boolean(),
  soundEnabled: z.boolean(),
  theme: z.enum(['light', 'dark', 'system']),
  fontSize: z.enum(['small', 'medium', 'large']),
  compactMode: z.boolean(),
  animationsEnabled: z.boolean(),
  dateFormat: z.enum(['MM/DD/YYYY', 'DD/MM/YYYY', 'YYYY-MM-DD']),
  timeFormat: z.enum(['12h', '24h']),
  language: z.enum(languages),
  autoSync: z.boolean(),
  backgroundSync: z.boolean(),
  dataCompression: z.boolean(),
  preloadMessages: z.boolean(),
  approveAtSending: z.boolean().describe('files that are sent are approved for the contact at once'),
  enterBreaksLine: z.boolean().describe('Enter makes a new line in messages, and Ctrl+Enter sends'),
  readReceipts: z
    .boolean()
    .describe('mutual: if either participant switches it off, neither sees what the other has read'),
  onlineStatus: z
    .boolean()
    .describe('mutual: if either participant switches it off, neither sees whether the other is online'),
  profileVisibility: z.boolean().describe('off: contacts see the name only, not email address or username'),
  screenshotProtection: z.boolean(),
  sessionTimeout: z.boolean().describe('an unused session ends after 24 hours; off: after 30 days'),
  loginNotifications: z.boolean(),
  dataDownloads: z.boolean().describe('switched on by POST /api/account/data-downloads only'),
})
export type Preferences = z.output<typeof preferences>

/** The organization's policy for all its members, which overrides their preferences. */
export const policy = z.object({
  twoFactor: z.boolean().describe('members without a second factor can only set one up'),
  twoFactorFrom: time.describe('when the requirement takes effect; 0 if no date was announced'),
  screenshotProtection: z.boolean(),
  watermark: z.boolean(),
  sessionTimeout: z.boolean(),
  onlyApprovedBrowsers: z
    .boolean()
    .describe('browsers switch "Only approved browsers" on, and nobody can switch it off'),
  lockAfter: z
    .literal([0, ...limits.idleLockMinutes])
    .describe('browsers lock after at most this many minutes without use; 0: when the member chooses'),
  pushForbidden: z.boolean().describe('no member is notified by a push service'),
  directory: z.boolean().describe('members find one another by name and can ask to connect'),
})
export type Policy = z.output<typeof policy>

export const preferenceState = z.object({ preferences, policy })
export type PreferenceState = z.output<typeof preferenceState>

export const preferenceCalls = {
  get: endpoint({
    method: 'GET',
    path: '/api/preferences',
    guard: 'member',
    beforeFactor: true,
    result: preferenceState,
    summary: "The caller's preferences, and the policy of their organization",
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/preferences',
    guard: 'member',
    body: preferences.partial(),
    result: preferenceState,
    errors: ['PASSWORD_NEEDED'],
    summary: "Change some of the caller's preferences; they take effect at once",
  }),
}
