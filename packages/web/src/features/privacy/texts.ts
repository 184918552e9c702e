import type { ExportFacts, ExportProgress } from '@privity/client'

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

const readme = (facts: ExportFacts, time: string) => `PRIVITY DATA EXPORT
Account: ${facts.username}
Created: ${time}

This file was created in your browser. The server sent what it stores about your account; the messages were
decrypted with the keys in your browser, and neither the texts nor this file were sent to the server.

WHAT IS IN IT
profile.json      your name, email address, username, connection code, role and organization
preferences.json  what you have set under Settings and Privacy & Security
sessions.json     the browsers that are signed in to your account
browsers.json     the browsers that have opened your account, with their first and last use
activity.json     the newest 1,000 entries about what you did in the server's audit log
connections.json  your contacts, since when, whether verified, and drafts kept in this browser
files.json        the files you have sent that still exist: name, type, size, recipient
conversations/    for each contact the messages that existed at the time, as messages.json for programs and
                  messages.html to read: ${count(facts.conversations, 'conversation', 'conversations')}, ${count(facts.messages, 'message', 'messages')}

WHAT IS NOT IN IT
- Keys, passwords and the account recovery key. Nobody can sign in or open anything with this file.
- Messages that had expired. They are gone, from the server too.
- The content of files. Download them from the conversation while they exist.
- What others have said to each other, and anything about other members beyond what you see of them.

Times in the .json files are in UTC. This file is not encrypted and does not disappear: keep it safe, and delete
it when you no longer need it.
`

const exportTexts = {
  label: 'Export my data',
  hint: 'One ZIP file, created in this browser: profile, preferences, sessions, activity, connections, your current messages, and descriptions of your files. No keys. It stays readable after the messages have expired: keep it safe.',
  offHint: 'Switch on data downloads first.',
  request: 'Export data',
  requested: 'Data export requested',
  requestedHint: 'Ready within 24 hours, most often at once. You get an email notice if this server sends email.',
  failed: 'Data export failed',
  failedHint: 'Nothing was saved. Try again.',
  preparing: 'Collecting your data...',
  progress: ({ conversations, of, messages }: ExportProgress) =>
    `${conversations} of ${count(of, 'conversation', 'conversations')}, ${count(messages, 'message', 'messages')}`,
  bar: 'Data export',
  cancel: 'Cancel',
  cancelled: 'Cancelled. Nothing was saved.',
  saved: (name: string, { conversations, messages }: ExportFacts) =>
    `Saved as ${name}: ${count(conversations, 'conversation', 'conversations')}, ${count(messages, 'message', 'messages')}.`,
  language: 'en',
  readme,
  deleted: 'Message deleted',
  conversationWith: (name: string) => `Conversation with ${name}`,
  madeAt: (time: string) => `As it was on ${time}`,
  you: 'You',
  empty: 'There were no messages at that time.',
  file: (name: string, size: string) => `File: ${name} (${size})`,
}

const statusTexts = {
  title: 'Security status',
  lead: 'How secure your account is now, as far as this browser and the server can tell.',
  list: 'Security status',
  good: 'Good',
  attention: 'Needs attention',
  summary: (open: number) =>
    open === 0 ? 'Nothing needs your attention.' : `${count(open, 'item needs', 'items need')} your attention.`,
  notLoaded: 'The security status could not be loaded.',
  secondFactor: 'Two-factor authentication',
  secondFactorOn: 'Signing in requires a second factor in addition to the password.',
  secondFactorOff: 'Anyone who has your password can sign in. Add an authenticator app or a passkey.',
  setUp: 'Set up',
  fewCodes: (n: number) =>
    `${count(n, 'backup code is', 'backup codes are')} left. Create new ones before they run out.`,
  renewCodes: 'Create new codes',
  recoveryKey: 'Account recovery key',
  recoveryKeyOf: (date: string) => `Your current key was created on ${date}.`,
  recoveryKeyOld: (date: string) =>
    `Your current key was created on ${date}. Make sure that you still have it, or renew it.`,
  recoveryKeyUnsaved: 'You have not confirmed that you saved it. Create a new one in case you forget your password.',
  renew: 'Renew account recovery key',
  contacts: 'Verified contacts',
  noContacts: 'You have no connections yet.',
  allVerified: (n: number) =>
    `You have compared safety numbers with ${n === 1 ? 'your contact' : `all ${n} contacts`}.`,
  unverified: (n: number, of: number) =>
    `${n} of ${count(of, 'contact is', 'contacts are')} not verified. Compare safety numbers with them.`,
  verify: 'Show connections',
  keys: 'Keys of your contacts',
  keysSame: 'All contacts have the keys that you accepted.',
  keysChanged: (n: number) =>
    `The key of ${count(n, 'contact', 'contacts')} has changed. Nothing is sent until you review it.`,
  review: 'Review keys',
  sessions: 'Signed-in browsers',
  onlyThis: 'Only this browser is signed in.',
  others: (n: number, date: string) => `${count(n, 'other session', 'other sessions')}, the oldest since ${date}.`,
  othersOld: (n: number, date: string) =>
    `${count(n, 'other session', 'other sessions')}, the oldest since ${date}. End those you do not use.`,
  manage: 'Manage sessions',
  failures: 'Failed sign-ins',
  noFailures: 'None in the last 30 days.',
  failed: (n: number, time: string, address: string) =>
    `${count(n, 'wrong password', 'wrong passwords')} in the last 30 days, the last on ${time}${address && ` from ${address}`}. If that was not you, change your password.`,
  noFailuresSince: (time: string) => `None since ${time}.`,
  changePassword: 'Change password',
  settle: 'This was me',
  settled: 'From now on only new failed sign-ins count.',
  notSettled: 'This could not be saved',
  timeout: 'Session timeout',
  timeoutOn: 'A browser that is not used for 24 hours is signed out.',
  timeoutOff: 'A browser that is not used stays signed in for 30 days.',
  switchOn: 'Go to the setting',
  logins: 'Login notifications',
  loginsOn: 'You are notified of new sign-ins to your account.',
  loginsOff: 'You are not notified of new sign-ins to your account.',
  storage: 'Keys in this browser',
  storageKept: 'This browser keeps your keys, encrypted. The server holds half of what opens them.',
  storageMayGo:
    'This browser may clear its storage when space runs low; you would then have to enter your password again.',
  storageUnsafe: 'This page was not loaded over a secure connection. Use HTTPS.',
  keep: 'Ask the browser to keep them',
  notKept: 'The browser refused',
  notKeptHint: 'Browsers decide this themselves and usually agree once you have used a site for a while.',
}

export const privacyTexts = {
  title: 'Privacy & Security',
  lead: 'What others see of you, how your account is protected, and a copy of your data.',
  updated: 'Setting updated',
  byOrganization: 'Set by your organization.',
  notLoaded: 'Your settings could not be loaded.',
  security: {
    title: 'Security',
    messageEncryption: 'Message encryption',
    messageEncryptionHint: 'Messages and files are encrypted in your browser, always. This cannot be switched off.',
    screenshotProtection: 'Screenshot protection',
    screenshotProtectionHint:
      'Deters screenshots and printing while you are signed in; it cannot prevent them. What it notices is logged: copying, dragging page content and hiding the page without a notice. What you read or write never is.',
    sessionTimeout: 'Session timeout',
    sessionTimeoutHint: 'Signs a browser out after 24 hours without use. Off: after 30 days.',
    loginNotifications: 'Login notifications',
    loginNotificationsHint:
      'Notifies your other sessions of new sign-ins. You also get an email if the browser is new and this server sends email.',
  },
  privacy: {
    title: 'Privacy',
    lead: 'Changes take effect for your contacts at once.',
    readReceipts: 'Read receipts',
    readReceiptsHint:
      'You and your contacts see which messages have been read. Off: neither side does, and messages read in the meantime are not reported later. “Delivered” is still shown.',
    onlineStatus: 'Online status',
    onlineStatusHint:
      'You and your contacts see when the other is online. Off: neither side does. A message that turns to “Delivered” can still tell its sender that you are online.',
    profileVisibility: 'Profile visibility',
    profileVisibilityHint:
      'Contacts see your email address and username. Off: only your name. Administrators of your organization always see them.',
  },
  data: {
    title: 'Your data',
    lead: 'Each export is in the audit log.',
    dataDownloads: 'Data downloads',
    dataDownloadsHint: 'Allows exports of your data from this account. Switching it on asks for your password.',
    dialog: 'Switch on data downloads',
    dialogHint:
      'Anyone using a browser in which you are signed in could then export your messages. Enter your password to continue.',
    password: 'Password',
    passwordMissing: 'Enter your password',
    confirm: 'Switch on',
    checking: 'Checking...',
    cancel: 'Cancel',
  },
  export: exportTexts,
  status: statusTexts,
}
