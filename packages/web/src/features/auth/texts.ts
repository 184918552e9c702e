import { limits } from '@privity/contract/limits'

import type { Invited } from '@privity/client'
import { formatLongDay } from '../../i18n/dateTime.ts'
import { lifetime } from '../../i18n/retention.ts'

const roles = { user: 'User', org_admin: 'Admin', super_admin: 'Super Admin' }
const attempts = limits.failedSignIns

export const authTexts = {
  side: {
    tagline: 'Strictly between the two of you.',
    features: [
      { title: 'A connection code of your own', text: 'It stays until you replace it. Connect once.' },
      { title: 'Messages that disappear', text: `Deleted on both sides after ${lifetime.en}.` },
      { title: 'Files the sender controls', text: 'Up to 3 downloads for each approval.' },
    ],
    foot: 'End-to-end encrypted. 256-bit. Zero knowledge: the server can read no content. It sees who writes to whom and when.',
  },
  fields: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    username: 'Username',
    password: 'Password',
    newPassword: 'New password',
    confirmPassword: 'Confirm new password',
  },
  deriving: 'Deriving your key...',
  signIn: {
    page: 'Sign in',
    title: 'Sign in',
    lead: 'Your password unlocks your keys on this device. It is never sent.',
    demoLead: 'Demo credentials are filled in. They work until someone changes that account’s password.',
    demoOther: 'To try both sides, open a second browser and',
    demoSwap: 'fill in the other demo account',
    sharedComputer: 'This is a shared computer',
    sharedComputerHint:
      'This browser stores nothing of you, and the session ends with the window. So it cannot warn you of old keys next time, and a reload loses drafts and unsent messages.',
    submit: 'Sign In',
    busy: 'Signing in...',
    forgot: 'Forgot password?',
    swap: 'New to Privity?',
    toSignUp: 'Create an account',
    usernameMissing: 'Enter your username.',
    passwordMissing: 'Enter your password.',
    done: 'Login successful!',
    failed: 'Login failed',
    fallback: 'login failed',
  },
  secondFactor: {
    title: 'Two-factor authentication',
    lead: 'Your password is correct. Confirm with your second factor.',
    submit: { totp: 'Confirm', recoveryCode: 'Confirm', passkey: 'Use a passkey' },
    back: 'Back',
  },
  signUp: {
    page: 'Create an account',
    title: 'Create an account',
    lead: 'Your keys are created on this device. Then you get your connection code.',
    hint: `Choose a password you will remember: ${attempts === 5 ? 'five' : attempts} failed attempts lock your account.`,
    submit: 'Create account',
    busy: 'Creating your account...',
    swap: 'Already have an account?',
    toSignIn: 'Sign In',
    done: 'Account created successfully!',
    failed: 'Signup failed',
    fallback: 'signup failed',
  },
  invitation: {
    checking: 'Checking your invitation...',
    unchecked: 'Your invitation could not be checked right now. It will be checked when you create your account.',
    lead: ({ organization, role, expiresAt }: Invited) =>
      `You have been invited to ${organization} as ${roles[role]}.${expiresAt === null ? '' : ` The invitation is valid until ${formatLongDay(expiresAt)}.`} Your keys are created on this device.`,
    invalid: 'This invitation cannot be used',
    invalidWhy: 'It has been used or revoked, or it has expired. Ask the person who invited you for a new one.',
    without: 'Create an account without the invitation',
    signedIn: 'You are already signed in',
    signedInWhy: 'Your invitation is for a new account and was not used. Log out to use it in this tab.',
  },
  welcomeBack: (username: string) => `Welcome back, ${username}!`,
  welcome: (username: string) => `Welcome to Privity, ${username}!`,
  errors: {
    firstName: 'Enter your first name, up to 64 characters.',
    lastName: 'Enter your last name, up to 64 characters.',
    marks: 'Enter your name on one line, without text direction characters or email headers such as “From:”.',
    email: 'Enter the full address, for example name@example.com.',
    username: 'Use 3 to 32 letters, digits, dots, underscores or hyphens.',
    invalid: 'This is not valid. Check it and try again.',
    confirm: 'The passwords do not match.',
  },
  reset: {
    page: 'Reset your password',
    title: 'Reset your password',
    lead: 'Your account recovery key unlocks your keys. All your other sessions will end.',
    submit: 'Set new password',
    busy: 'Setting your new password...',
    back: 'Back to Sign In',
    done: 'Password updated',
    failed: 'Password not changed',
    secondFactorLead: 'Your account recovery key is correct. Confirm with your second factor to set your new password.',
    expired: 'This took too long, or your account has changed since. Your password was not changed. Try again.',
    fallback: 'The password could not be changed. Try again.',
  },
  unlock: {
    page: 'Locked',
    title: 'Locked',
    lead: (name: string) => `${name} is signed in. This browser has no keys until you enter your password.`,
    submit: 'Unlock',
    busy: 'Unlocking...',
    failed: 'Not unlocked',
    fallback: 'This password does not unlock your keys.',
    logout: 'Logout',
    back: 'Back to Unlock',
  },
}
