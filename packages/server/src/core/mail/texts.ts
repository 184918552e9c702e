import { durationWords } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import type { AccountChange } from '@privity/contract/notifications'

interface EmailText {
  subject: string
  text: string
}

export interface SignInFacts {
  /** The display name of the browser: "Firefox on Linux". */
  browser: string
  address: string
  /** Whether the account has never been used in this browser before. */
  isNew: boolean
  /** Failed sign-ins since the previous sign-in. */
  failures: number
  at: number
}

export interface LockFacts {
  /** The failed attempts that led to this lock, not those before it. */
  failures: number
  /** The address of the attempt that locked the account. */
  address: string
  at: number
}

export interface ChangeFacts {
  change: AccountChange
  browser: string
  address: string
  at: number
  /** Whether a stolen session was enough for the change; every other change needs the password. */
  needsNoPassword: boolean
}

/** The texts of the emails to members; `texts.CODE.ts` translates them. */
export interface EmailTexts {
  signIn: (facts: SignInFacts) => EmailText
  accountLocked: (facts: LockFacts) => EmailText
  accountChanged: (facts: ChangeFacts) => EmailText
  secondFactorReset: (at: number) => EmailText
  dataExported: (facts: { address: string; at: number }) => EmailText
  /** `lead`: milliseconds until a message expires. */
  messageWaiting: (lead: number) => EmailText
}

const timeOf = (at: number) => new Date(at).toUTCString()

const changes: Record<AccountChange, string> = {
  password_changed: 'The password of your Privity account was changed',
  password_recovered: 'The password of your Privity account was reset with the account recovery key',
  email_changed: 'The email address of your Privity account was changed',
  recovery_key_renewed: 'The account recovery key of your Privity account was replaced',
  keys_replaced: 'The keys, password and account recovery key of your Privity account were replaced',
  passkey_added: 'A passkey was added to your Privity account',
  passkey_removed: 'A passkey was removed from your Privity account',
  totp_added: 'An authenticator app was added to your Privity account',
  totp_replaced: 'The authenticator app of your Privity account was replaced',
  totp_removed: 'The authenticator app was removed from your Privity account',
  second_factor_switched_off: 'Two-factor authentication of your Privity account was switched off',
  recovery_codes_renewed: 'The backup codes of your Privity account were replaced',
  only_approved_on: 'Only approved browsers open the messages of your Privity account now',
  only_approved_off: 'Every browser that signs in to your Privity account opens its messages again',
  browser_approved: 'A browser was approved for your Privity account',
  browser_removed: 'A browser was removed from your Privity account',
  session_shared: 'Another browser uses a session of your Privity account',
  login_notifications_off: 'Login notifications of your Privity account were switched off',
}

/** A password alone leaves the keys to who has them, and the checkbox beside it makes new ones. */
const withNewKeys = 'with “I may have been compromised”'

const stolenCredentials = `someone has your password or your account recovery key: sign in, end that
session under Account Settings, change your password ${withNewKeys}, which also makes a new
account recovery key, and set a new second factor. If you cannot sign in, use your account recovery key, or ask an
administrator of your organization for help.`

const stolenSession = `someone is using one of your sessions: sign in, end that session under
Account Settings, change your password, and switch login notifications on again under Privacy & Security.`

const ifNotYou = (needsNoPassword: boolean) =>
  `If this was you, you can ignore this email. If not, ${needsNoPassword ? stolenSession : stolenCredentials}`

const sharedSession = `If you have cleared the data of your browser, you can ignore this email. If not, someone may use a copy
of it: sign in, remove the browser that you do not know under Account Settings, Your browsers, and change your
password ${withNewKeys}.`

export const englishEmails: EmailTexts = {
  signIn({ browser, address, isNew, failures, at }) {
    const failed = failures === 1 ? '1 sign-in' : `${failures} sign-ins`
    const before = failures === 0 ? '' : `Failed:  ${failed} since the previous sign-in\n`
    return {
      subject: isNew ? 'New sign-in to your Privity account' : 'Sign-in to your Privity account after failed attempts',
      text: `There was a sign-in to your account${isNew ? ' from a new browser' : ' after failed sign-ins from other addresses'}.

Browser: ${browser}
Address: ${address}
Time:    ${timeOf(at)}
${before}
If this was you, you can ignore this email. If not, sign in, end that session under Account Settings and change
your password ${withNewKeys}. You can switch off these emails in Privity under Privacy &
Security, Login notifications.
`,
    }
  },

  accountLocked: ({ failures, address, at }) => ({
    subject: 'Your Privity account was locked',
    text: `Your Privity account was locked for ${durationWords(limits.lockTime, 'en')} after failed sign-ins.

Failed:  ${failures} attempts
Address: ${address}, of the last one
Time:    ${timeOf(at)}

Browsers that have signed in to the account before are counted separately and are not locked by others. If these
attempts were not yours, there is nothing to do as long as nobody else knows your password; two-factor authentication
under Privacy & Security protects the account even then.
`,
  }),

  accountChanged: ({ change, browser, address, at, needsNoPassword }) => ({
    subject: changes[change],
    text: `${changes[change]}.

Browser: ${browser}
Address: ${address}
Time:    ${timeOf(at)}

${change === 'session_shared' ? sharedSession : ifNotYou(needsNoPassword)}
`,
  }),

  secondFactorReset: (at) => ({
    subject: 'Your Privity second factor was removed',
    text: `An administrator of your organization removed the second factors of your account.

Time: ${timeOf(at)}

You are signed out everywhere and can now sign in with your password alone. Set up a second factor in Privity under
Privacy & Security. If you did not ask for this, change your password and contact your organization.
`,
  }),

  dataExported: ({ address, at }) => ({
    subject: 'Your Privity data export',
    text: `An export of your data was created in a browser signed in to your account.

Address: ${address}
Time:    ${timeOf(at)}

The browser saved it as one ZIP file; it is not attached here, and the server has no copy of it. If this was not
you, sign in, end the other sessions under Account Settings and change your password ${withNewKeys}.
`,
  }),

  messageWaiting: (lead) => ({
    subject: `You have a message in Privity that disappears in ${durationWords(lead, 'en')}`,
    text: `A message in Privity that you have not read disappears in ${durationWords(lead, 'en')}. Sign in to read it.

You get no further email about unread messages before you have been in Privity again. You can switch off these emails
in Privity under Settings, Email notifications.
`,
  }),
}
